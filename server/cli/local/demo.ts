import { Interface } from 'ethers';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../../api/client';
import { forkRpc } from '../../client/fork-rpc';
import { loadSandboxContracts } from '../../chains/sandbox/parts/contracts';
import { planSandbox } from '../../chains/sandbox/plan';
import { printAnalysis } from '../../agents/print-analysis';
import type { Handler } from '../command-handlers/context';
import { Connection } from '../connection/connection';
import type { Output } from '../output/output';

/** The transaction that the demo repeats with one changed argument. */
const ORIGINAL = 'flash-loan';
const CHANGED = { name: 'amount', value: '5000000000' };

/** Demonstrates the main workflow on the sandbox, in a temporary folder. */
export const demoCommand: Handler<'demo'> = async (_input, { out, signal }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forklens-demo-'));
  const options = { dataDir, isDataDirGiven: true, sandbox: true, config: undefined };
  const none = { url: undefined, accessKey: undefined, profile: undefined };
  const connection = new Connection({ ...options, ...none }, signal);
  try {
    const result = await runDemo(connection.client, out, signal);
    if (out.isJson) out.result(result, '');
  } finally {
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** Uses only the public interface, as a script would. */
async function runDemo(client: ApiClient, out: Output, signal: AbortSignal): Promise<object> {
  const { story } = planSandbox(loadSandboxContracts());
  const original = story.find(({ id }) => id === ORIGINAL);
  if (original === undefined) throw new Error('the sandbox lacks the transaction of the demo');
  const { blockNumber, position, hash, title } = original;
  const { colors } = out;
  const say = (text: string): void => {
    if (!out.isJson) out.raw(text);
  };

  say(
    `Block ${blockNumber} of the sandbox has this transaction at position ${position}: “${title}”.`,
  );
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
  say(`Forked the sandbox at block ${blockNumber}, position ${position}: ${colors.cyan(fork.rpc)}`);

  const call = await changedCall(client, 'sandbox', hash);
  const sent = String(await forkRpc(fork, 'eth_sendTransaction', [call], signal));
  say(`Sent the changed call from Carol's address, unsigned: ${colors.cyan(sent)}\n`);
  if (out.isJson) {
    const params = { chain: fork.forkId, transaction: sent };
    return client.call('getAnalysis', { params });
  }
  say(await printAnalysis(client, fork.forkId, sent, { colors }));
  say(
    [
      '',
      colors.bold('Next steps'),
      `  ${colors.cyan('forklens sandbox list')}                   more transactions to look at`,
      `  ${colors.cyan('forklens serve --sandbox')}                keep the service running, then, in another terminal:`,
      `  ${colors.cyan('forklens tx sandbox <hash>')}              analyze any of them`,
      `  ${colors.cyan('forklens fork create sandbox')}            fork the chain`,
      '  The VS Code extension shows the same in the editor.',
    ].join('\n'),
  );
  return {};
}

/** The decoded top call of a transaction, with one changed argument. */
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
