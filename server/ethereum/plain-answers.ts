import type * as z from 'zod';
import { blockSchema, minedTransactionSchema } from './answer-schemas';
import type { RpcBlock, RpcTransaction } from './types';

/** Removes null fields: some nodes return null for a missing value, such as the status of receipts before Byzantium. */
export function withoutNulls<Answer extends object>(
  answer: Answer,
  { shape }: z.ZodObject,
): Answer {
  const entries = Object.entries(answer);
  const left = entries.filter(([name, value]) => value !== null || !Object.hasOwn(shape, name));
  return left.length === entries.length ? answer : (Object.fromEntries(left) as Answer);
}

/** A transaction without null fields, except `to` of a creation. */
export const plainTransaction = <Answer extends RpcTransaction>(answer: Answer): Answer => ({
  ...withoutNulls(answer, minedTransactionSchema),
  to: (answer as Partial<RpcTransaction>).to ?? null,
});

/** A block and its transactions without null fields. */
export const plainBlock = (answer: RpcBlock): RpcBlock => ({
  ...withoutNulls(answer, blockSchema),
  transactions: answer.transactions.map(plainTransaction),
});
