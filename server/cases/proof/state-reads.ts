import { addressSchema, type Address } from '../../api/primitives';
import type { KeptAnswer } from '../../chains/upstream/kept-answers';

/** Reads of the state, with the position of their block among the parameters. */
const READS: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
};

/** The slots that were read after a block, by account. */
export function stateReads(
  answers: readonly KeptAnswer[],
  { number, hash }: { number: string; hash: string },
): ReadonlyMap<Address, ReadonlySet<bigint>> {
  const found = new Map<Address, Set<bigint>>();
  for (const { method, params } of answers) {
    const at = Object.hasOwn(READS, method) ? READS[method] : undefined;
    if (at === undefined || !isBlock(params[at], number, hash)) continue;
    const { data: address } = addressSchema.safeParse(params[0]);
    if (address === undefined) continue;
    const slots = found.get(address) ?? new Set<bigint>();
    found.set(address, slots);
    if (method === 'eth_getStorageAt') slots.add(BigInt(String(params[1])));
  }
  return found;
}

function isBlock(block: unknown, number: string, hash: string): boolean {
  if (block === number || block === hash) return true;
  const { blockHash, blockNumber } = (block ?? {}) as {
    blockHash?: unknown;
    blockNumber?: unknown;
  };
  return blockHash === hash || blockNumber === number;
}
