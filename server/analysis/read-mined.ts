import type * as z from 'zod';
import { ApiError, shown } from '../api/errors';
import type { Hash } from '../api/primitives';
import { fieldPath } from '../api/validation';
import { withBlobPrice } from '../chains/blob-price';
import {
  blockSchema,
  flawOf,
  minedTransactionSchema,
  receiptSchema,
} from '../ethereum/answer-schemas';
import type { RpcTransaction } from '../ethereum/types';
import type { MinedTransaction, Network } from './ports';
import { rulesOf } from './rules';

const FORMS = {
  transaction: minedTransactionSchema,
  receipt: receiptSchema,
  block: blockSchema,
} as const;

/**
 * What a node told of a transaction, answer by answer.
 * @throws ApiError `upstreamLacksData` where the answers are not of the JSON-RPC's form, or not of one and the same execution
 */
export function readMined(network: Network, told: MinedTransaction): MinedTransaction {
  const { key } = network;
  for (const part of ['transaction', 'receipt', 'block'] as const) {
    const flaw = flawOf(FORMS[part], told[part]);
    if (!flaw) continue;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${key} tells something that cannot be read: ${fieldPath([part, ...flaw.path], 'it')} is ${shown(flaw.input)}`,
    );
  }
  const { transaction, receipt, block } = told;
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
  const plain = withoutNulls(receipt, FORMS.receipt);
  return {
    transaction: {
      ...withoutNulls(transaction, FORMS.transaction),
      hash: transaction.hash.toLowerCase() as Hash,
      to: (transaction as Partial<RpcTransaction>).to ?? null,
    },
    receipt:
      hardfork === undefined
        ? plain
        : withBlobPrice(plain, transaction, header, { chainId: network.chainId, hardfork }),
    block: header,
  };
}

/** Some nodes write null for what there was none of, such as the status of receipts before Byzantium. */
function withoutNulls<Told extends object>(told: Told, { shape }: z.ZodObject): Told {
  const entries = Object.entries(told);
  const left = entries.filter(([name, value]) => value !== null || !Object.hasOwn(shape, name));
  return left.length === entries.length ? told : (Object.fromEntries(left) as Told);
}
