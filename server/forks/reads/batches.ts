import { requestEach, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';

/** Calls that a client sends as one batch. */
const BATCH = 50;

/**
 * As `requestEach`, in one batch after the other: several batches of reads that an engine has to fetch from its upstream, side by side,
 * can stop it for good.
 */
export async function requestInTurn(
  client: RpcClient,
  calls: readonly RpcCall[],
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let start = 0; start < calls.length; start += BATCH) {
    found.push(...(await requestEach(client, calls.slice(start, start + BATCH))));
  }
  return found;
}
