import type { Address, Hex } from '../../api/primitives';

/** One transaction of a Safe's `multiSend`. */
export interface PackedTransaction {
  readonly to: Address;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
  readonly isDelegated: boolean;
}

/** Hex digits of: operation (1 byte), address (20), amount (32), length of the data (32). */
const HEAD = { operation: 2, to: 40, value: 64, length: 64 } as const;
const HEAD_DIGITS = HEAD.operation + HEAD.to + HEAD.value + HEAD.length;
const DELEGATED = '01';
const MAX_TRANSACTIONS = 1_000;

/** Transactions in the packing of Safe's `MultiSend`. Empty unless the data ends with the last transaction. */
export function packedTransactions(packed: Hex): PackedTransaction[] {
  const digits = packed.slice(2);
  const transactions: PackedTransaction[] = [];
  let at = 0;
  while (at < digits.length) {
    if (at + HEAD_DIGITS > digits.length || transactions.length === MAX_TRANSACTIONS) return [];
    const to = at + HEAD.operation;
    const value = to + HEAD.to;
    const length = value + HEAD.value;
    const data = length + HEAD.length;
    const bytes = BigInt(`0x${digits.slice(length, data)}`);
    const end = BigInt(data) + bytes * 2n;
    if (end > BigInt(digits.length)) return [];
    transactions.push({
      to: `0x${digits.slice(to, value)}`,
      value: BigInt(`0x${digits.slice(value, length)}`),
      data: `0x${digits.slice(data, Number(end))}`,
      isDelegated: digits.slice(at, to) === DELEGATED,
    });
    at = Number(end);
  }
  return transactions;
}
