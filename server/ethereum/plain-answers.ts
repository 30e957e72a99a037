import type * as z from 'zod';
import { blockSchema, minedTransactionSchema } from './answer-schemas';
import type { RpcBlock, RpcTransaction } from './types';

/** Removes null fields: some nodes return null for a missing value, such as the status of receipts before Byzantium. */
export function withoutNulls<Told extends object>(told: Told, { shape }: z.ZodObject): Told {
  const entries = Object.entries(told);
  const left = entries.filter(([name, value]) => value !== null || !Object.hasOwn(shape, name));
  return left.length === entries.length ? told : (Object.fromEntries(left) as Told);
}

/** A transaction without null fields, except `to` of a creation. */
export const plainTransaction = <Told extends RpcTransaction>(told: Told): Told => ({
  ...withoutNulls(told, minedTransactionSchema),
  to: (told as Partial<RpcTransaction>).to ?? null,
});

/** A block and its transactions without null fields. */
export const plainBlock = (told: RpcBlock): RpcBlock => ({
  ...withoutNulls(told, blockSchema),
  transactions: told.transactions.map(plainTransaction),
});
