import { verifyAuthorization } from 'ethers';
import type { TransactionKind } from '../../api/transaction-kind';
import type { RpcAuthorization, RpcReceipt, RpcTransaction } from '../../evm/forms/types';

/** The type of EIP-7702, the newest that all chains share (EIP-2718). */
export const NEWEST_SHARED_TYPE = 4;

/** Fields of transactions of all types, under every name that nodes use. */
const SHARED_FIELDS = new Set([
  'hash',
  'blockHash',
  'blockNumber',
  'blockTimestamp',
  'transactionIndex',
  'type',
  'chainId',
  'nonce',
  'from',
  'to',
  'value',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'input',
  'data',
  'accessList',
  'r',
  's',
  'v',
  'yParity',
]);
/** Fields that rollups add to a receipt: the OP stack and Arbitrum. */
const ROLLUP_RECEIPT_FIELD = /^(l1|deposit|operatorFee|daFootprint|gasUsedForL1|timeboosted)/;

/** The facts specific to the type of a transaction. */
export function transactionKind(transaction: RpcTransaction, receipt: RpcReceipt): TransactionKind {
  const { accessList = [], authorizationList, blobVersionedHashes } = transaction;
  const { blobGasUsed, blobGasPrice } = receipt;
  const extra = extraFields(transaction, receipt);
  return {
    ...(accessList.length === 0 ? {} : { accessList }),
    ...(blobVersionedHashes && {
      blobs: {
        versionedHashes: blobVersionedHashes,
        maxFeePerGas: BigInt(transaction.maxFeePerBlobGas ?? '0x0').toString(),
        gasUsed: blobGasUsed === undefined ? null : Number(blobGasUsed),
        gasPrice: blobGasPrice === undefined ? '' : BigInt(blobGasPrice).toString(),
      },
    }),
    ...(authorizationList && { authorizations: authorizationList.map(toAuthorization) }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function toAuthorization(
  authorization: RpcAuthorization,
): NonNullable<TransactionKind['authorizations']>[number] {
  const { address, chainId, nonce, yParity, r, s } = authorization;
  return {
    authority: authorityOf(authorization),
    address: address.toLowerCase(),
    chainId: BigInt(chainId).toString(),
    nonce: BigInt(nonce).toString(),
    yParity,
    r,
    s,
  };
}

/** The account that signed; empty for invalid signatures, which a list may contain. */
function authorityOf({ address, chainId, nonce, ...signature }: RpcAuthorization): string {
  const { r, s, yParity } = signature;
  try {
    return verifyAuthorization(
      { address, chainId: BigInt(chainId), nonce: BigInt(nonce) },
      { r: word(r), s: word(s), yParity: BigInt(yParity) === 0n ? 0 : 1 },
    ).toLowerCase();
  } catch {
    return '';
  }
}

const word = (quantity: string): string => `0x${quantity.slice(2).padStart(64, '0')}`;

function extraFields(transaction: RpcTransaction, receipt: RpcReceipt): Record<string, unknown> {
  const known = Number(transaction.type ?? '0x0') <= NEWEST_SHARED_TYPE;
  return Object.fromEntries([
    ...(known ? [] : Object.entries(transaction).filter(([name]) => !SHARED_FIELDS.has(name))),
    ...Object.entries(receipt).filter(([name]) => ROLLUP_RECEIPT_FIELD.test(name)),
  ]);
}
