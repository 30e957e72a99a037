import type { EndpointReport } from '../../api/endpoint';
import { ApiError } from '../../api/errors';
import { isMethodMissing, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { HttpRpcClient } from './http-rpc-client';
import type { EndpointAddress } from './transport';

/** Depths below the head, in blocks. A pruned node keeps about the smallest of them. */
const DEPTHS = [1_000_000, 100_000, 10_000, 1_000, 100, 0];
const LATENCY_SAMPLES = 3;
/** Blocks that are searched for a transaction to trace. */
const BLOCKS_TO_TRACE = 5;
const TIMEOUT_MS = 10_000;
const NOBODY = `0x${'0'.repeat(40)}`;
const NO_HASH = `0x${'0'.repeat(64)}`;

/**
 * Tests the capabilities of an endpoint.
 * @param address occurs in no message
 * @throws ApiError `upstreamUnreachable` or `timedOut` if it does not answer as a node
 */
export async function checkEndpointAt(
  address: string | EndpointAddress,
  signal?: AbortSignal,
): Promise<EndpointReport> {
  const rpc = new HttpRpcClient({
    name: 'the given URL',
    urls: [address],
    rounds: 1,
    timeoutMs: TIMEOUT_MS,
  });
  try {
    return await checkEndpoint(rpc, () => performance.now(), signal);
  } finally {
    await rpc.close();
  }
}

/** @param now returns milliseconds */
export async function checkEndpoint(
  rpc: RpcClient,
  now: () => number,
  signal?: AbortSignal,
): Promise<EndpointReport> {
  const ask = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    rpc.request(method, params, { signal });
  const chainId = numberOf(await ask('eth_chainId'), 'eth_chainId');
  const latencies: number[] = [];
  let blockNumber = 0;
  for (let sample = 0; sample < LATENCY_SAMPLES; sample++) {
    const start = now();
    blockNumber = numberOf(await ask('eth_blockNumber'), 'eth_blockNumber');
    latencies.push(now() - start);
  }
  const [client, stateDepth, debugApi] = await Promise.all([
    ask('web3_clientVersion').catch(() => ''),
    stateDepthOf(rpc, blockNumber, signal),
    hasDebugApi(rpc, blockNumber, signal),
  ]);
  return {
    chainId,
    client: typeof client === 'string' ? client : '',
    blockNumber,
    latencyMs: Math.round(latencies.sort((a, b) => a - b)[1] ?? 0),
    stateDepth,
    debugApi,
  };
}

function numberOf(answer: unknown, method: string): number {
  const value = typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? Number(answer) : NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new ApiError(
    'upstreamUnreachable',
    `the given URL does not answer ${method} as a node does`,
  );
}

/** State of block 1 stands for the whole history: pruned nodes keep the genesis state as well. */
async function stateDepthOf(
  rpc: RpcClient,
  head: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const heights = [...new Set([1, ...DEPTHS.map((depth) => head - depth)])]
    .filter((height) => height > 0)
    .sort((a, b) => a - b);
  const answers = await rpc.requestAll(
    heights.map((height) => ({ method: 'eth_getBalance', params: [NOBODY, toQuantity(height)] })),
    { signal },
  );
  const oldest = heights.find((_, index) => answers[index]?.status === 'fulfilled');
  if (oldest === undefined) return 0;
  return oldest === 1 ? head : head - oldest;
}

async function hasDebugApi(
  rpc: RpcClient,
  head: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const hash = await recentTransaction(rpc, head, signal);
  try {
    await rpc.request(
      'debug_traceTransaction',
      [hash ?? NO_HASH, { tracer: 'callTracer', timeout: '5s' }],
      { signal },
    );
    return true;
  } catch (error) {
    // Without a transaction to trace, any error except a missing method proves support.
    return hash === undefined && error instanceof Error && !isMethodMissing(error);
  }
}

async function recentTransaction(
  rpc: RpcClient,
  head: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const heights = Array.from({ length: BLOCKS_TO_TRACE }, (_, back) => head - back);
  const blocks = await rpc.requestAll(
    heights
      .filter((height) => height >= 0)
      .map((height) => ({
        method: 'eth_getBlockByNumber',
        params: [toQuantity(height), false],
      })),
    { signal },
  );
  return blocks
    .flatMap((block) => (block.status === 'fulfilled' ? [block.value] : []))
    .flatMap((block) => (block as { transactions?: string[] } | null)?.transactions ?? [])[0];
}
