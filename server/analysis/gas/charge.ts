import type { Address, Hex } from '../../api/primitives';
import { toQuantity } from '../../evm/forms/quantity';
import type { MinedTransaction } from '../ports';
import { gasFee } from './fee';

/** The required part of the result of `prestateTracer` with `diffMode`. */
export interface BalanceChanges {
  pre: Record<Address, { balance?: Hex }>;
  post: Record<Address, { balance?: Hex }>;
}

/**
 * Adds to the changes of a transaction what its sender pays for gas that an engine did not charge, and the fee recipient's part of it.
 * @param mined its receipt has the price, and the gas with the uncharged part
 * @param gas the uncharged part
 */
export function charged(
  mined: MinedTransaction,
  changes: BalanceChanges,
  gas: bigint,
): BalanceChanges {
  const { payer, recipient, received, execution } = gasFee(mined);
  const used = BigInt(mined.receipt.gasUsed);
  const paid = moved(changes, payer, (-execution / used) * gas);
  return moved(paid, recipient, (received / used) * gas);
}

/** @param amount wei to add to the account */
export function moved(
  { pre, post }: BalanceChanges,
  account: Address,
  amount: bigint,
): BalanceChanges {
  if (amount === 0n) return { pre, post };
  const left = BigInt(post[account]?.balance ?? pre[account]?.balance ?? '0x0');
  return {
    pre,
    post: { ...post, [account]: { ...post[account], balance: toQuantity(left + amount) } },
  };
}
