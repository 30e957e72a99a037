import { ApiError, shown } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import { fieldPath } from '../../api/validation';
import { withBlobPrice } from '../../evm/rules/blob-price';
import {
  blockSchema,
  firstIssue,
  minedTransactionSchema,
  receiptSchema,
} from '../../evm/forms/answer-schemas';
import { plainTransaction, withoutNulls } from '../../evm/forms/plain-answers';
import type { MinedTransaction, Network } from '../ports';
import { feeTokenOf } from '../../evm/families/fee-token';
import { rulesOf } from '../../evm/rules/known-hardfork';

const FORMS = {
  transaction: minedTransactionSchema,
  receipt: receiptSchema,
  block: blockSchema,
} as const;

/**
 * Reads a node's answers about a transaction: the transaction, its receipt and its block.
 * @throws ApiError `upstreamLacksData` if an answer is malformed, or if the answers belong to different executions
 */
export function readMined(network: Network, answer: MinedTransaction): MinedTransaction {
  const { key } = network;
  for (const part of ['transaction', 'receipt', 'block'] as const) {
    const issue = firstIssue(FORMS[part], answer[part]);
    if (!issue) continue;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${key} returned an invalid value: ${fieldPath([part, ...issue.path], 'it')} is ${shown(issue.input)}`,
    );
  }
  const { transaction, receipt, block } = answer;
  for (const [what, one, other] of [
    ['hash', transaction.hash, receipt.transactionHash],
    ['block hash', transaction.blockHash, receipt.blockHash],
    ['block hash', transaction.blockHash, block.hash],
    ['block number', transaction.blockNumber, receipt.blockNumber],
    ['block number', transaction.blockNumber, block.number],
    ['index', transaction.transactionIndex, receipt.transactionIndex],
  ] as const) {
    if (BigInt(one ?? -1) === BigInt(other)) continue;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${key} contradicts itself: the ${what} of transaction ${transaction.hash} is ${one} and ${other}; it may be replacing its newest blocks`,
    );
  }
  const header = withoutNulls(block, FORMS.block);
  const hardfork = rulesOf(network, header);
  const sent = plainTransaction(transaction);
  const feeToken = feeTokenOf(sent);
  const read = withoutNulls(receipt, FORMS.receipt);
  const plain = feeToken === undefined ? read : { ...read, feeToken };
  return {
    transaction: { ...sent, hash: sent.hash.toLowerCase() as Hash },
    receipt:
      hardfork === undefined
        ? plain
        : withBlobPrice(plain, sent, header, { chainId: network.chainId, hardfork }),
    block: header,
  };
}
