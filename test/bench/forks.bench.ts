import { readdir, readFile } from 'node:fs/promises';
import type { Fork } from '../../server/api/fork';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcBlock } from '../../server/evm/forms/types';
import { startAnvil } from '../support/bare-anvil';
import { call } from '../support/json-rpc';
import { rawTransaction } from '../../server/execution/prefix/raw-transaction';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';

/*
 * Measures forks: creation next to `anvil --fork-url`, a long prefix over a slow upstream, the second fork of a block, waking, memory, and
 * a thousand forks. The upstream is a Hardhat node that plays mainnet, behind a proxy that counts requests and can delay them.
 *
 *     npm run bench -- forks
 */

const ROUNDS = 5;
const MANY = 1_000;
/** Limit of running engines: the default of the service. */
const RUNNING = 8;
const SOMEBODY = `0x${'a1'.repeat(20)}`;
const ELSEBODY = `0x${'b0'.repeat(20)}`;

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { took: performance.now() - start, result };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** A service with one project. */
class Bench {
  private constructor(
    readonly service: TestService,
    private readonly project: string,
  ) {}

  static async start(config: object, ...args: string[]): Promise<Bench> {
    const service = await startService({ config, args });
    const { data } = await service.request<{ projectId: string }[]>('GET', '/v1/projects');
    return new Bench(service, data[0]?.projectId ?? '');
  }

  async fork(body: object): Promise<Fork> {
    const path = `/v1/project/${this.project}/fork`;
    const { data, message, code } = await this.service.request<Fork>('POST', path, {
      body: { name: 'bench', ...body },
    });
    if (code !== 0) throw new Error(message);
    return data;
  }

  async list(): Promise<Fork[]> {
    return (await this.service.request<Fork[]>('GET', `/v1/project/${this.project}/forks`)).data;
  }
}

/** The same chain under several slugs. Slugs share no cached data. */
const chains = (url: string, count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    slug: `mainnet-${i}`,
    chainId: 1,
    rpcUrls: [url],
    hardfork: 'prague',
  }));

async function creation(mainnet: MainnetUpstream, proxy: UpstreamProxy): Promise<void> {
  const rows: Record<string, object> = {};
  for (const latency of [0, 50]) {
    const bench = await Bench.start({ chains: chains(proxy.url, ROUNDS + 1) });
    proxy.latencyMs = latency;
    const height = toQuantity(mainnet.busy);
    const ours: number[] = [];
    const bare: number[] = [];
    // The first round warms up the machine and is not counted.
    for (let round = 0; round <= ROUNDS; round++) {
      const mine = await timed(async () => {
        const { rpc } = await bench.fork({ chainId: 1, chain: `mainnet-${round}`, height });
        await call(rpc, 'eth_blockNumber');
      });
      const theirs = await timed(async () => {
        const anvil = await startAnvil(
          '--fork-url',
          proxy.url,
          '--fork-block-number',
          String(mainnet.busy),
        );
        await call(anvil.url, 'eth_blockNumber');
        return anvil;
      });
      await theirs.result.stop();
      if (round === 0) continue;
      ours.push(mine.took);
      bare.push(theirs.took);
    }
    rows[`upstream ${latency} ms away`] = {
      ours: ms(median(ours)),
      anvil: ms(median(bare)),
      'ours / anvil': (median(ours) / median(bare)).toFixed(2),
    };
    proxy.latencyMs = 0;
    await bench.service.stop();
  }
  console.log('\nCreation to the first answer, whole block:');
  console.table(rows);
}

async function longPrefix(mainnet: MainnetUpstream, proxy: UpstreamProxy): Promise<void> {
  const height = toQuantity(mainnet.huge);
  const { transactions } = await call<RpcBlock>(proxy.url, 'eth_getBlockByNumber', height, true);
  const bench = await Bench.start({ chains: chains(proxy.url, 1) });
  proxy.latencyMs = 50;
  const place = { chainId: 1, chain: 'mainnet-0', height, position: 199 };
  proxy.reset();
  const mine = await timed(() => bench.fork(place));
  const requests = proxy.requests;
  proxy.reset();
  const second = await timed(() => bench.fork(place));
  const again = proxy.count();
  proxy.reset();
  const raw = transactions.slice(0, 199).map(rawTransaction);
  // The same steps done by hand. The block's time and fee recipient are not set.
  const theirs = await timed(async () => {
    const anvil = await startAnvil(
      '--fork-url',
      proxy.url,
      '--fork-block-number',
      String(mainnet.huge - 1),
      '--hardfork',
      'prague',
      '--no-mining',
      '--order',
      'fifo',
      '--disable-pool-balance-checks',
    );
    for (const one of raw) await call(anvil.url, 'eth_sendRawTransaction', one);
    await call(anvil.url, 'evm_mine');
    return anvil;
  });
  const mined = await call<RpcBlock>(theirs.result.url, 'eth_getBlockByNumber', 'latest', false);
  await theirs.result.stop();
  proxy.latencyMs = 0;
  await bench.service.stop();
  console.log('\n199 transactions of a block of 200, upstream 50 ms away:');
  console.table({
    ours: { took: ms(mine.took), requests, faithful: mine.result.replay?.faithful },
    'ours, again': { took: ms(second.took), requests: again },
    anvil: { took: ms(theirs.took), requests: proxy.requests, mined: mined.transactions.length },
  });
}

async function waking(): Promise<void> {
  const bench = await Bench.start({ engine: { maxRunning: 1 } }, '--sandbox');
  const { rpc } = await bench.fork({ chainId: 31337 });
  await call(rpc, 'anvil_setBalance', SOMEBODY, '0xde0b6b3a7640000');
  for (let i = 0; i < 100; i++) {
    await call(rpc, 'eth_sendTransaction', { from: SOMEBODY, to: ELSEBODY, value: '0x1' });
  }
  const other = await bench.fork({ chainId: 31337 });
  const wakes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    wakes.push((await timed(() => call(rpc, 'eth_getBalance', ELSEBODY, 'latest'))).took);
    await call(other.rpc, 'eth_getBalance', ELSEBODY, 'latest');
  }
  await bench.service.stop();
  console.log(
    `\nWaking a fork with 100 transactions, another one put to sleep: ${ms(median(wakes))}`,
  );
}

/** Private memory of a process in bytes, from /proc (Linux). */
async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kibibytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)];
  return kibibytes.reduce((sum, [, value]) => sum + Number(value) * 1024, 0);
}

/** Process ids of the engines that the service runs now. */
async function engines(service: TestService): Promise<number[]> {
  const own: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, command, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? [];
    if (Number(parent) === service.child.pid && command?.startsWith('anvil'))
      own.push(Number(name));
  }
  return own;
}

async function many(): Promise<void> {
  const bench = await Bench.start({ engine: { maxRunning: RUNNING } }, '--sandbox');
  const { pid } = bench.service.child;
  if (pid === undefined) throw new Error('the service has no process');
  const sandbox = (await engines(bench.service))[0];
  for (let i = 0; i < RUNNING; i++) await bench.fork({ chainId: 31337 });
  const running = (await engines(bench.service)).filter((one) => one !== sandbox);
  const each = await Promise.all(running.map(privateBytes));
  const before = await privateBytes(pid);
  const rest = MANY - RUNNING;
  const created = await timed(async () => {
    for (let i = 0; i < rest; i++) await bench.fork({ chainId: 31337 });
  });
  const after = await privateBytes(pid);
  const forks = await bench.list();
  let most = 0;
  const asked = await timed(async () => {
    for (const [i, { rpc }] of forks.entries()) {
      await call(rpc, 'eth_blockNumber');
      if (i % 100 === 0) most = Math.max(most, (await engines(bench.service)).length);
    }
  });
  await bench.service.stop();
  console.log(`\n${forks.length} forks, ${RUNNING} engines at a time and the sandbox's own:`);
  console.table({
    'a running fork': { value: mebibytes(median(each)) },
    'a sleeping fork': { value: `${((after - before) / rest / 1024).toFixed(1)} KiB` },
    'to create one': { value: ms(created.took / rest) },
    'to wake one, another put to sleep': { value: ms(asked.took / forks.length) },
    'engines, at most': { value: most },
  });
}

async function main(): Promise<void> {
  const mainnet = await MainnetUpstream.start({ huge: true });
  const proxy = await UpstreamProxy.start(mainnet.url);
  try {
    await creation(mainnet, proxy);
    await longPrefix(mainnet, proxy);
  } finally {
    await proxy.close();
    await mainnet.close();
  }
  await waking();
  await many();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
