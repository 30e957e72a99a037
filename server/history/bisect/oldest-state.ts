import { ApiError } from '../../api/errors';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';

const NOBODY = `0x${'0'.repeat(40)}`;

/**
 * The oldest block of which a node has the state, between one of which it has none and one of which it has. A node that prunes has the
 * states of all newer blocks.
 */
export async function oldestState(
  rpc: RpcClient,
  range: { lacking: number; kept: number },
  signal: AbortSignal,
): Promise<number> {
  let { lacking, kept } = range;
  while (kept - lacking > 1) {
    const middle = Math.floor((lacking + kept) / 2);
    if (await hasState(rpc, middle, signal)) kept = middle;
    else lacking = middle;
  }
  return kept;
}

async function hasState(rpc: RpcClient, block: number, signal: AbortSignal): Promise<boolean> {
  try {
    await rpc.request('eth_getBalance', [NOBODY, toQuantity(block)], { signal });
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    const isLack = error instanceof ApiError && error.kind === 'upstreamLacksData';
    if (isLack || error instanceof RpcError) return false;
    throw error;
  }
}
