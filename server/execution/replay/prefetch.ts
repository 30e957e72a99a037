import type { Address, Hash } from '../../api/primitives';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { AccessListEntry, RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';

/** Deadline of a hint, in milliseconds: a late one is useless. */
const HINT_TIMEOUT_MS = 3_000;

/**
 * Asks a node which state a transaction will read, at the parent of its block (`eth_createAccessList`).
 * @returns only the transaction's own accounts if the node does not offer the method
 */
export async function predictReads(
  upstream: RpcClient,
  block: RpcBlockHeader,
  transaction: RpcTransaction,
  signal: AbortSignal,
): Promise<AccessListEntry[]> {
  const { from, to, value, input, gas } = transaction;
  const call = { from, ...(to === null ? {} : { to }), value, data: input, gas };
  const parent = toQuantity(Number(block.number) - 1);
  const own = [from, to, block.miner].flatMap((address) =>
    address === null ? [] : [{ address, storageKeys: [] as Hash[] }],
  );
  try {
    const answer = (await upstream.request('eth_createAccessList', [call, parent], {
      signal,
      timeoutMs: HINT_TIMEOUT_MS,
    })) as { accessList?: AccessListEntry[] } | null;
    return [...own, ...(answer?.accessList ?? [])];
  } catch (error) {
    if (signal.aborted) throw error;
    return own;
  }
}

/** Makes an engine load accounts and slots concurrently. During execution it would read one after the other. */
export async function loadState(
  engine: RpcClient,
  reads: readonly AccessListEntry[],
  signal: AbortSignal,
): Promise<void> {
  const accounts = new Map<Address, Set<Hash>>();
  for (const { address, storageKeys } of reads) {
    const slots = accounts.get(address) ?? new Set<Hash>();
    for (const key of storageKeys) slots.add(key);
    accounts.set(address, slots);
  }
  await engine.requestAll(
    [...accounts].flatMap(([address, slots]) => [
      { method: 'eth_getBalance', params: [address, 'latest'] },
      ...Array.from(slots, (slot) => ({
        method: 'eth_getStorageAt',
        params: [address, slot, 'latest'],
      })),
    ]),
    { signal },
  );
}
