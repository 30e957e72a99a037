import type { Network } from '../analysis/ports';
import type { RpcCall } from '../ethereum/json-rpc';

/** One value per call; undefined for a call that failed. Empty if the whole request failed. */
export async function answers(
  network: Network,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<unknown[]> {
  if (calls.length === 0) return [];
  try {
    const outcomes = await network.rpc.requestAll(calls, { signal });
    return outcomes.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
}
