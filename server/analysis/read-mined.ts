import * as z from 'zod';
import { ApiError, shown } from '../api/errors';
import { fieldPath } from '../api/validation';
import { blockSchema, minedTransactionSchema, receiptSchema } from '../ethereum/answer-schemas';
import type { RpcReceipt } from '../ethereum/types';
import type { MinedTransaction, Network } from './ports';

const toldSchema = z.object({
  transaction: minedTransactionSchema,
  receipt: receiptSchema,
  block: blockSchema,
});

/**
 * What a node told of a transaction, answer by answer.
 * @throws ApiError `upstreamLacksData` where the answers are not of the JSON-RPC's form, or not of one and the same execution
 */
export function readMined({ key }: Network, told: MinedTransaction): MinedTransaction {
  const { success, data, error } = toldSchema.safeParse(told, { reportInput: true });
  if (!success) {
    const [issue] = error.issues;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${key} tells something that cannot be read: ${fieldPath(issue?.path ?? [], 'it')} is ${shown(issue?.input)}`,
    );
  }
  const { transaction, receipt, block } = data;
  for (const [what, one, other] of [
    ['hash', transaction.hash, receipt.transactionHash],
    ['block hash', transaction.blockHash, receipt.blockHash],
    ['block hash', transaction.blockHash, block.hash],
    ['block number', transaction.blockNumber, receipt.blockNumber],
    ['block number', transaction.blockNumber, block.number],
    ['index', transaction.transactionIndex, receipt.transactionIndex],
  ] as const) {
    if (BigInt(one) === BigInt(other)) continue;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${key} contradicts itself: the ${what} of transaction ${transaction.hash} is ${one} and ${other}; it may be replacing its newest blocks`,
    );
  }
  return receipt.status === null ? { ...told, receipt: withoutStatus(told.receipt) } : told;
}

/** Some nodes write null for what receipts did not have before Byzantium. */
function withoutStatus(receipt: RpcReceipt): RpcReceipt {
  const copy = { ...receipt };
  delete copy.status;
  return copy;
}
