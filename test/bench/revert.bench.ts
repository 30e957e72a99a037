import type { Fork } from '../../server/api/fork';
import { testEngines } from '../integration/fork-upstream';
import { call } from '../support/json-rpc';
import { startService, type TestService } from '../support/service';

/*
 * Measures the steps that test suites repeat before each test: a snapshot, a transaction, and the revert. Forks with more and more
 * transactions take turns with anvil, which has the same transactions. Both mine each transaction of the history in its own block.
 *
 *     npm run bench -- revert
 */

const ROUNDS = 50;
const HISTORIES = [0, 900, 3_000];
const SOMEBODY = `0x${'a1'.repeat(20)}`;
/** Adds one to slot 0 and returns it. */
const CODE = '0x600054600101806000556000526020600060f35b';
const CONTRACT = `0x${'c0'.repeat(20)}`;

interface Peer {
  name: string;
  url: string;
  /** Milliseconds, one entry per round. */
  took: number[];
}

const send = (url: string): Promise<string> =>
  call(url, 'eth_sendTransaction', { from: SOMEBODY, to: CONTRACT, gas: '0x186a0' });

async function prepare(url: string): Promise<void> {
  await call(url, 'anvil_setBalance', SOMEBODY, '0x56bc75e2d63100000');
  await call(url, 'anvil_setCode', CONTRACT, CODE);
  await call(url, 'anvil_impersonateAccount', SOMEBODY);
}

async function round(url: string): Promise<number> {
  const start = performance.now();
  const snapshot = await call(url, 'evm_snapshot');
  await send(url);
  if (!(await call<boolean>(url, 'evm_revert', snapshot))) throw new Error('no revert');
  return performance.now() - start;
}

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? NaN;

const ms = (value: number): string => `${value.toFixed(1)} ms`;

async function forkOf(service: TestService): Promise<Fork> {
  const projects = await service.request<{ projectId: string }[]>('GET', '/v1/projects');
  const path = `/v1/project/${projects.data[0]?.projectId ?? ''}/fork`;
  const body = { chainId: 31337, name: 'bench' };
  return (await service.request<Fork>('POST', path, { body })).data;
}

async function main(): Promise<void> {
  const service = await startService({ args: ['--sandbox'] });
  const engines = await testEngines();
  const rows: Record<string, object> = {};
  try {
    const fork = await forkOf(service);
    const origin = await forkOf(service);
    const direct = await engines.start({
      hardfork: 'prague',
      upstream: { url: origin.rpc, blockNumber: Number(await call(origin.rpc, 'eth_blockNumber')) },
    });
    await call(direct.url, 'evm_setAutomine', true);
    const urls = { Forklens: fork.rpc, anvil: direct.url };
    for (const url of Object.values(urls)) await prepare(url);
    let sent = 0;
    for (const transactions of HISTORIES) {
      for (; sent < transactions; sent++) {
        for (const url of Object.values(urls)) await send(url);
      }
      const peers: Peer[] = Object.entries(urls).map(([name, url]) => ({ name, url, took: [] }));
      for (let i = 0; i < ROUNDS; i++) {
        for (const { url, took } of peers) took.push(await round(url));
      }
      const base = quantile(peers.find(({ name }) => name === 'anvil')?.took ?? [], 0.5);
      for (const { name, took } of peers) {
        const [p50, p90, most] = [0.5, 0.9, 1].map((part) => quantile(took, part));
        rows[`${transactions} transactions, ${name}`] = {
          p50: ms(p50 ?? NaN),
          p90: ms(p90 ?? NaN),
          most: ms(most ?? NaN),
          'p50 / anvil': ((p50 ?? NaN) / base).toFixed(2),
        };
      }
    }
  } finally {
    await engines.close();
    await service.stop();
  }
  console.log(`\nsnapshot, send, revert; ${ROUNDS} rounds:`);
  console.table(rows);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
