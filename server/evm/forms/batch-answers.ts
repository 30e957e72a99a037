import type { RpcCall, RpcClient } from './json-rpc';

/** One value per call; undefined for a call that failed. Empty if the whole request failed. */
export async function answers(
  rpc: RpcClient,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<unknown[]> {
  if (calls.length === 0) return [];
  try {
    const outcomes = await rpc.requestAll(calls, { signal });
    return outcomes.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
}
