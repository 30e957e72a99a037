import type * as z from 'zod';
import { blockSchema, minedTransactionSchema } from './answer-schemas';
import { toQuantity } from './quantity';
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

/**
 * A block and its transactions without null fields.
 * @param chainId of the chain, for typed transactions whose node leaves it out
 */
export const plainBlock = (answer: RpcBlock, chainId?: number): RpcBlock => ({
  ...withoutNulls(answer, blockSchema),
  transactions: entriesOf(answer).map((one) => withChainId(plainTransaction(one), chainId)),
});

/** In place of a transaction that a node could not return: of no known type, so that nothing executes it. */
const MISSING: RpcTransaction = {
  hash: `0x${'0'.repeat(64)}`,
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
  type: '0xff',
  nonce: '0x0',
  from: `0x${'0'.repeat(40)}`,
  to: null,
  value: '0x0',
  gas: '0x0',
  input: '0x',
};

/** The transactions of a block. Some nodes return null for one in a form that they cannot read; the others keep their positions. */
export const entriesOf = ({ transactions }: Pick<RpcBlock, 'transactions'>): RpcTransaction[] =>
  (transactions as (RpcTransaction | null)[]).map((one) => one ?? MISSING);

/** Typed transactions sign the chain id (EIP-2718): without it, their bytes cannot be rebuilt. */
const withChainId = (one: RpcTransaction, chainId: number | undefined): RpcTransaction =>
  chainId === undefined || one.chainId !== undefined || Number(one.type ?? '0x0') === 0
    ? one
    : { ...one, chainId: toQuantity(chainId) };
