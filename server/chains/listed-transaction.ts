import type { BlockTransaction } from '../api/chain-explorer';
import type { Hex } from '../api/primitives';
import { toDecimal } from '../ethereum/quantity';
import type { RpcReceipt, RpcTransaction } from '../ethereum/types';

/** A transaction as lists show it. */
export function transactionOf(
  { hash, from, to, value, input }: RpcTransaction,
  position: number,
  receipt: RpcReceipt | undefined,
  methods: ReadonlyMap<Hex, string>,
): BlockTransaction {
  const selector = to === null ? undefined : selectorOf(input);
  return {
    hash,
    position,
    from: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    created: receipt?.contractAddress?.toLowerCase() ?? null,
    value: toDecimal(BigInt(value)),
    selector: selector ?? '',
    method: selector === undefined ? '' : (methods.get(selector) ?? ''),
    status: receipt?.status === undefined ? null : BigInt(receipt.status) === 1n,
    gasUsed: receipt === undefined ? null : Number(receipt.gasUsed),
  };
}

/** The first four bytes of call data. */
export const selectorOf = (input: Hex): Hex | undefined =>
  input.length < 10 ? undefined : (input.slice(0, 10).toLowerCase() as Hex);
