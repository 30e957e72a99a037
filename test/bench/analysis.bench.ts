import { id } from 'ethers';
import type { Hash } from '../../server/api/primitives';
import type { RpcClient } from '../../server/evm/forms/json-rpc';
import { toQuantity } from '../../server/evm/forms/quantity';
import { CALL_TRACER } from '../../server/execution/tracing/debug-api';
import { blockOf, castRun, median, ms, timed, WarmService } from '../support/bench-analysis';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { startTestSandbox } from '../support/sandbox';
import { analysisOf } from '../support/sandbox-analysis';
import { UpstreamProxy } from '../support/upstream-proxy';

/*
 * Measures the time that an analysis adds to the node's own trace, the time of an analysis whose node has no debug API, and the time of a
 * repeated request.
 *
 * The peer is `cast run` on the same upstream. Our side is an analysis with its invocation flow, by a service that has analysed a
 * transaction of another block and has no data of this one. Cast is a new process with an empty home in each round. The two take turns. The
 * figures are medians. Compare the ratios: the load of the machine changes the figures themselves.
 *
 *     npm run bench -- analysis
 */

const LEVELS = 13; // 2^13 - 1 calls of the sandbox's Fractal contract
const ROUNDS = 3;
/** Unmeasured and measured analyses. The first analyses run code that V8 has not optimized yet. */
const [WARM_UP, WARM_ROUNDS] = [40, 15];
const CACHED_REQUESTS = 200;

async function repeat(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < times; round++) all.push(await timed(work));
  return median(all);
}

/** An RPC client that records when the last trace arrived. */
class TimedNode implements RpcClient {
  answeredAt = NaN;

  constructor(private readonly rpc: RpcClient) {}

  async request(...call: Parameters<RpcClient['request']>): Promise<unknown> {
    const answer = await this.rpc.request(...call);
    if (call[0] === 'debug_traceTransaction') this.answeredAt = performance.now();
    return answer;
  }

  requestAll(...calls: Parameters<RpcClient['requestAll']>): ReturnType<RpcClient['requestAll']> {
    return this.rpc.requestAll(...calls);
  }
}

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
    const node = new TimedNode(rpc);
    const analysis = analysisOf({ ...sandbox, engine: { rpc: node } });
    /** Analyses a transaction that is new to the service. */
    const analyze = async (): Promise<{ post: number; whole: number }> => {
      const hash = await grow();
      const started = performance.now();
      await analysis.invocationFlow({ chain: 'sandbox', hash });
      const ended = performance.now();
      return { post: ended - node.answeredAt, whole: ended - started };
    };
    const first = await analyze();
    for (let round = 0; round < WARM_UP; round++) await analyze();
    const traced = await grow();
    const trace = (): Promise<unknown> =>
      rpc.request('debug_traceTransaction', [traced, CALL_TRACER]);
    const own = await repeat(WARM_ROUNDS, trace);
    const warm = [];
    for (let round = 0; round < WARM_ROUNDS; round++) warm.push(await analyze());
    const post = median(warm.map((one) => one.post));
    const flow = await analysis.invocationFlow({ chain: 'sandbox', hash: traced });
    const frames = Object.keys(flow.dataMap).length - 1;
    const written = JSON.stringify(flow).length;
    const small = sandbox.story.find(({ id }) => id === 'swap-two-hops')!;
    const request = { chain: 'sandbox', hash: small.hash };
    await analysis.balanceChange(request);
    const cached = await repeat(CACHED_REQUESTS, () => analysis.balanceChange(request));
    const ratio = (time: number): string => (time / own).toFixed(2);
    console.log(
      `A trace of ${frames} calls and events, ${(written / 1e6).toFixed(1)} MB of JSON as an answer`,
    );
    console.table({
      "the node's own trace": { ms: ms(own) },
      'post-processing, from the trace to the answer (aim 0.5)': {
        ms: ms(post),
        ratio: ratio(post),
      },
      'post-processing, the first of a service': { ms: ms(first.post), ratio: ratio(first.post) },
      'whole analysis': { ms: ms(median(warm.map(({ whole }) => whole))) },
      'cached balance change, p50': { ms: ms(cached) },
    });
  } finally {
    await sandbox.stop();
  }
}

async function againstCast(): Promise<void> {
  const mainnet = await MainnetUpstream.start({ huge: true });
  const proxy = await UpstreamProxy.start(mainnet.url);
  const service = await WarmService.start();
  try {
    const block = await blockOf(mainnet.rpc, mainnet.huge);
    const before = (await blockOf(mainnet.rpc, mainnet.busy)).transactions[0]!.hash;
    const rows: Record<string, object> = {};
    for (const latency of [0, 50]) {
      proxy.latencyMs = latency;
      for (const index of [0, 9, 199]) {
        const { hash } = block.transactions[index]!;
        const [ours, casts]: [number[], number[]] = [[], []];
        let [verdict, requests] = ['', 0];
        for (let round = 0; round < ROUNDS; round++) {
          const asked = proxy.requests;
          const one = await service.analyze(proxy.url, before, hash);
          requests = proxy.requests - asked;
          ours.push(one.took);
          verdict = one.verdict;
          casts.push(await castRun(proxy.url, hash));
        }
        rows[`index ${index}, ${latency} ms`] = {
          ours: ms(median(ours)),
          cast: ms(median(casts)),
          'cast / ours': (median(casts) / median(ours)).toFixed(1),
          requests,
          verdict,
        };
      }
    }
    console.table(rows);
  } finally {
    await service.stop();
    await proxy.close();
    await mainnet.close();
  }
}

async function main(): Promise<void> {
  await postProcessing();
  await againstCast();
}

void main();
