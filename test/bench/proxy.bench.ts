import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Fork } from '../../server/api/fork';
import { testEngines } from '../integration/fork-upstream';
import { startService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/*
 * Measures requests per second and latency of three addresses: the JSON-RPC address of a fork, the same engine without the service, and a
 * Hardhat node. They take turns in rounds, with 10 connections. Compare the ratios: the load of the machine changes the figures themselves.
 * The service answers repeated reads without the engine while the state does not change. Reads with new data each time reach the engine.
 *
 *     npm run bench -- proxy
 */

const SECONDS = 3;
const ROUNDS = 2;
const ROOT = join(__dirname, '../..');
/** Adds one to slot 0 and returns it. */
const CODE = '0x60005460010160005260206000f3';
const CONTRACT = `0x${'c0'.repeat(20)}`;

const CALLS = {
  eth_blockNumber: [],
  eth_getBalance: [CONTRACT, 'latest'],
  eth_call: [{ to: CONTRACT }, 'latest'],
} as const;

type Method = keyof typeof CALLS;

const bodyOf = (method: string, params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Each request has different data: a counter. */
const varied = { name: 'eth_call, other data each time', count: 0 };

function nextVaried(): string {
  const data = `0x${(++varied.count).toString(16).padStart(64, '0')}`;
  return bodyOf('eth_call', [{ to: CONTRACT, data }, 'latest']);
}

/** Bodies of the repeated requests, by their names in the table. */
const QUESTIONS: ReadonlyMap<string, () => string> = new Map([
  ...(Object.keys(CALLS) as Method[]).map((method): [string, () => string] => {
    const body = bodyOf(method, CALLS[method]);
    return [method, () => body];
  }),
  [varied.name, nextVaried],
]);

interface Peer {
  name: string;
  url: string;
}

interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

async function measure(url: string, name: string, body: () => string): Promise<Figures> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(name === varied.name
      ? { requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }] }
      : { body: body() }),
    connections: 10,
    duration: SECONDS,
  });
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${name}: requests failed`);
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

async function startHardhat(): Promise<Peer & { stop: () => Promise<void> }> {
  const home = await makeTemporaryDirectory();
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/hardhat/internal/cli/bootstrap.js'),
      '--config',
      join(ROOT, 'test/fixtures/mainnet/hardhat.config.cjs'),
      'node',
      '--hostname',
      '127.0.0.1',
      '--port',
      '0',
    ],
    {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        HARDHAT_ROOT: home,
        HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface(child.stdout);
  const url = await new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const found = /http:\/\/\S+/.exec(line)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  await ask(url, 'hardhat_setCode', [CONTRACT, CODE]);
  return {
    name: 'Hardhat node',
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await removeDirectory(home);
    },
  };
}

const better = (a: Figures | undefined, b: Figures): Figures =>
  a !== undefined && a.perSecond >= b.perSecond ? a : b;

async function main(): Promise<void> {
  const service = await startService({ args: ['--sandbox'] });
  const engines = await testEngines();
  const hardhat = await startHardhat();
  try {
    const projects = await service.request<{ projectId: string }[]>('GET', '/v1/projects');
    const { data: fork } = await service.request<Fork>(
      'POST',
      `/v1/project/${projects.data[0]?.projectId ?? ''}/fork`,
      { body: { chainId: 31337, name: 'bench' } },
    );
    const direct = await engines.start({
      hardfork: 'prague',
      upstream: { url: fork.rpc, blockNumber: Number(await ask(fork.rpc, 'eth_blockNumber', [])) },
    });
    const peers: Peer[] = [
      { name: 'Forklens', url: fork.rpc },
      { name: 'anvil, direct', url: direct.url },
      hardhat,
    ];
    await ask(fork.rpc, 'anvil_setCode', [CONTRACT, CODE]);
    await ask(direct.url, 'anvil_setCode', [CONTRACT, CODE]);
    const rows: string[] = [];
    for (const [question, body] of QUESTIONS) {
      const best = new Map<string, Figures>();
      for (let round = 0; round < ROUNDS; round++) {
        for (const { name, url } of peers) {
          best.set(name, better(best.get(name), await measure(url, question, body)));
        }
      }
      const ours = best.get('Forklens')?.perSecond ?? 0;
      for (const [name, { perSecond, p50, p99 }] of best) {
        const ratio = (ours / perSecond).toFixed(2);
        rows.push(
          `| ${question} | ${name} | ${Math.round(perSecond)} | ${p50} / ${p99} | ${ratio} |`,
        );
      }
    }
    console.log('| method | peer | requests/s | p50 / p99 ms | Forklens is faster by |');
    console.log('| --- | --- | --: | --: | --: |');
    console.log(rows.join('\n'));
  } finally {
    await hardhat.stop();
    await engines.close();
    await service.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
