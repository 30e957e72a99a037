import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { id } from 'ethers';
import { AnalysisService } from '../../server/analysis/analyze';
import type { Network, TraceSource } from '../../server/analysis/ports';
import type { Hash } from '../../server/api/primitives';
import { toQuantity } from '../../server/ethereum/quantity';
import type { RpcBlock } from '../../server/ethereum/types';
import { noPrices } from '../../server/prices/no-prices';
import { ChainClients } from '../../server/rpc/chain-clients';
import { UpstreamGateway } from '../../server/rpc/upstream-gateway';
import { RpcTokenFacts } from '../../server/tokens/token-facts';
import { CALL_TRACER } from '../../server/trace/debug-api';
import { LocalReplay } from '../../server/trace/local-replay';
import { testEngines } from '../integration/fork-upstream';
import { identification } from '../support/analysis';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { startTestSandbox } from '../support/sandbox';
import { analysisOf } from '../support/sandbox-analysis';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { UpstreamProxy } from '../support/upstream-proxy';

/*
 * What an analysis adds to the node's own time, what it takes where the node has no debug API (beside `cast run` on the same upstream),
 * and what a second request takes. The ratios are what counts; the machine's load moves the figures themselves.
 *
 *     npm run bench -- analysis
 */

const LEVELS = 13; // 2^13 - 1 calls of the sandbox's Fractal
const ROUNDS = 3;
const CACHED_REQUESTS = 200;
const NEVER = new AbortController().signal;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
async function timed<T>(work: () => Promise<T>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
async function repeat(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < times; round++) all.push(await timed(work));
  return median(all);
}
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

async function postProcessing(): Promise<void> {
  const sandbox = await startTestSandbox();
  try {
    const { rpc } = sandbox.engine;
    const fractal = Object.entries(sandbox.labels).find(([, label]) => label === 'Fractal')?.[0];
    const from = `0x${'5e'.repeat(20)}`;
    await rpc.request('anvil_setBalance', [from, toQuantity(10n ** 20n)]);
    await rpc.request('anvil_impersonateAccount', [from]);
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    const data = `${id('grow(uint256,uint256)').slice(0, 10)}${word(LEVELS)}${word(1)}`;
    const grow = async (): Promise<Hash> => {
      const call = { from, to: fractal, data, gas: toQuantity(29_000_000) };
      const hash = (await rpc.request('eth_sendTransaction', [call])) as Hash;
      await rpc.request('evm_mine', []);
      return hash;
    };
    const first = await grow();
    const own = await repeat(ROUNDS, () =>
      rpc.request('debug_traceTransaction', [first, CALL_TRACER]),
    );
    let [frames, written] = [0, 0];
    const analysis = analysisOf(sandbox);
    const analyze = async (hash: Hash): Promise<void> => {
      const flow = await analysis.invocationFlow({ chain: 'sandbox', hash });
      frames = Object.keys(flow.dataMap).length - 1;
      written = JSON.stringify(flow).length;
    };
    await analyze(first); // reads the artifacts
    const hashes = [await grow(), await grow(), await grow()];
    const whole = await repeat(hashes.length, () => analyze(hashes.shift()!));
    const small = sandbox.story.find(({ id }) => id === 'swap-two-hops')!;
    const request = { chain: 'sandbox', hash: small.hash };
    await analysis.balanceChange(request);
    const cached = await repeat(CACHED_REQUESTS, () => analysis.balanceChange(request));
    console.table({
      [`${frames} calls and events: node's own trace`]: { ms: ms(own) },
      [`whole analysis, ${(written / 1e6).toFixed(1)} MB of JSON`]: { ms: ms(whole) },
      'post-processing': { ms: ms(whole - own), ratio: ((whole - own) / own).toFixed(2) },
      'cached balance change, p50': { ms: ms(cached) },
    });
  } finally {
    await sandbox.stop();
  }
}

/** A trace by replay, as a service makes it that sees the upstream for the first time. */
async function replayOnce(url: string, hash: Hash): Promise<{ took: number; applied: string }> {
  const [engines, clients, gateway] = [
    await testEngines(),
    new ChainClients(),
    new UpstreamGateway(),
  ];
  try {
    const rpc = clients.of({ slug: 'eth', chainId: 1, rpcUrls: [url] });
    const network: Network = { key: 'eth', chainId: 1, nativeSymbol: 'ETH', rpc, replayable: true };
    const traces: TraceSource = new LocalReplay({
      startEngine: engines.start,
      openUpstream: (on) => gateway.open({ chainId: on.chainId, upstream: on.rpc }),
      hardforkOf: () => 'prague',
    });
    const analysis = new AnalysisService({
      networks: { resolve: () => Promise.resolve(network) },
      traces,
      abis: { identify: () => Promise.resolve(identification()) },
      tokens: new RpcTokenFacts(),
      prices: noPrices,
      states: { state: () => Promise.resolve(undefined) },
    });
    let verification = {};
    const took = await timed(async () => {
      ({ verification } = await analysis.invocationFlow({ chain: 'eth', hash }, { signal: NEVER }));
    });
    return { took, applied: JSON.stringify(verification) };
  } finally {
    await gateway.close();
    await clients.close();
    await engines.close();
  }
}

async function castRun(url: string, hash: Hash): Promise<number> {
  const cast = createRequire(require.resolve('@foundry-rs/cast/package.json'));
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const binary = cast.resolve(`@foundry-rs/cast-${process.platform}-${arch}/bin/cast`);
  const home = await makeTemporaryDirectory();
  try {
    return await timed(async () => {
      const args = ['run', hash, '--rpc-url', url, '--evm-version', 'prague', '--no-rate-limit'];
      const child = spawn(binary, args, {
        env: { HOME: home },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let complaint = '';
      child.stderr.on('data', (text) => (complaint += String(text)));
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`cast run: ${complaint.slice(0, 300)}`);
    });
  } finally {
    await removeDirectory(home);
  }
}

async function againstCast(): Promise<void> {
  const mainnet = await MainnetUpstream.start({ huge: true });
  const proxy = await UpstreamProxy.start(mainnet.url);
  try {
    const block = (await mainnet.rpc.request('eth_getBlockByNumber', [
      toQuantity(mainnet.huge),
      true,
    ])) as RpcBlock;
    const rows: Record<string, object> = {};
    for (const latency of [0, 50]) {
      proxy.latencyMs = latency;
      for (const index of [0, 9, 199]) {
        const { hash } = block.transactions[index]!;
        const ours = await replayOnce(proxy.url, hash);
        const cast = await castRun(proxy.url, hash).catch((error: unknown) => String(error));
        rows[`index ${index}, ${latency} ms`] = {
          ours: ms(ours.took),
          cast: typeof cast === 'number' ? ms(cast) : cast,
          'cast / ours': typeof cast === 'number' ? (cast / ours.took).toFixed(1) : '',
          verification: ours.applied,
        };
      }
    }
    console.table(rows);
  } finally {
    await proxy.close();
    await mainnet.close();
  }
}

async function main(): Promise<void> {
  await postProcessing();
  await againstCast();
}

void main();
