import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';

/** Calls that a client sends as one batch. */
const BATCH = 50;

/**
 * Like `requestEach`, but sends one batch after the other: an engine can deadlock on several concurrent batches of reads that it has to
 * fetch from its upstream.
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
