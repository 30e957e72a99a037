import type { Command } from 'commander';
import { Interface } from 'ethers';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pico from 'picocolors';
import { createApiClient, type ApiClient } from '../api/client';
import { configSchema } from '../api/config';
import { createLog } from '../log';
import { loadSandboxContracts } from '../sandbox/contracts';
import { planSandbox } from '../sandbox/plan';
import { startServices } from '../services';
import { printAnalysis } from '../agents/print-analysis';

/** The transaction that the demo plays again with one argument changed. */
const ORIGINAL = 'flash-loan';
const CHANGED = { name: 'amount', value: '5000000000' };

/** `demo`: the main job in one go, on the sandbox, in a folder of its own that is gone afterwards. */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('fork the built-in chain inside a block, send a transaction, analyze it')
    .action(async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'forklens-demo-'));
      const services = await startServices(
        {
          host: '127.0.0.1',
          port: 0,
          dataDir,
          config: configSchema.parse({}),
          sandbox: true,
          localUser: true,
          stdinLifeline: false,
          publicUrl: undefined,
          allowedHosts: [],
          logLevel: 'error',
        },
        createLog('error'),
      );
      try {
        const accessKey = (await readFile(join(dataDir, 'access-key'), 'utf8')).trim();
        await runDemo(createApiClient(() => Promise.resolve({ baseUrl: services.url, accessKey })));
      } finally {
        await services.stop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
}

/** Everything by the interface alone, as any script would. */
async function runDemo(client: ApiClient): Promise<void> {
  const { story } = planSandbox(loadSandboxContracts());
  const original = story.find(({ id }) => id === ORIGINAL);
  if (original === undefined) throw new Error('the sandbox lacks the transaction of the demo');
  const { blockNumber, position, hash, title } = original;

  say(`Block ${blockNumber} of the sandbox holds, at position ${position}: “${title}”.`);
  say('What if it had been 5000?\n');

  const [project] = await client.call('listProjects', {});
  const fork = await client.call('createFork', {
    params: { project_id: project?.projectId ?? '' },
    body: {
      chainId: 31337,
      name: 'Carol borrows more',
      height: `0x${blockNumber.toString(16)}`,
      position,
    },
  });
  say(`Forked the sandbox at block ${blockNumber}, position ${position}: ${pico.cyan(fork.rpc)}`);

  const sent = await send(fork.rpc, await changedCall(client, 'sandbox', hash));
  say(`Sent the changed call from Carol's address, unsigned: ${pico.cyan(sent)}\n`);
  say(await printAnalysis(client, fork.forkId, sent, { colors: pico }));
  say(
    [
      '',
      pico.bold('How to go on'),
      `  ${pico.cyan('npm run sandbox:list')}                       more transactions to look at`,
      `  ${pico.cyan('npm start -- --sandbox --local-user')}        keep the service running, then`,
      `  ${pico.cyan('npm run cli -- analyze sandbox <hash>')}      analyze any of them`,
      '  Open this folder in VS Code and press F5: the same in the editor.',
    ].join('\n'),
  );
}

/** The top call of a transaction as it was decoded, with one argument changed. */
async function changedCall(
  client: ApiClient,
  chain: string,
  transaction: string,
): Promise<Record<string, string>> {
  const { dataMap } = await client.call('getInvocationFlow', { params: { chain, transaction } });
  const top = dataMap['0'];
  if (top === undefined || !('invocation' in top) || top.invocation.decodedMethod === null) {
    throw new Error('the top call of the demo is not decoded');
  }
  const { fromAddress, address, decodedMethod } = top.invocation;
  const { name, signature, callParams } = decodedMethod;
  const args = callParams.map((param) =>
    param.name === CHANGED.name ? CHANGED.value : param.value,
  );
  const data = new Interface([`function ${signature}`]).encodeFunctionData(name, args);
  return { from: fromAddress, to: address, data };
}

async function send(rpc: string, transaction: Record<string, string>): Promise<string> {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_sendTransaction',
      params: [transaction],
    }),
  });
  const answer = (await response.json()) as { result?: string; error?: { message: string } };
  if (answer.result === undefined) throw new Error(answer.error?.message ?? 'no answer');
  return answer.result;
}

function say(text: string): void {
  console.log(text);
}
