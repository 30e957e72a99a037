import { keccak256, Signature, Transaction, type Authorization } from 'ethers';
import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import type { RpcAuthorization, RpcTransaction } from '../../evm/forms/types';

/**
 * The signed bytes of a mined transaction, rebuilt from its JSON: not every node offers eth_getRawTransactionByHash. Types 0 (with and
 * without EIP-155), 1, 2, 3 (as mined: without the sidecar) and 4.
 * @throws ApiError upstreamLacksData for another type, or if the bytes do not have the hash
 */
export function rawTransaction(transaction: RpcTransaction): Hex {
  let rebuilt: Transaction;
  try {
    rebuilt = rebuild(transaction);
  } catch (error) {
    throw unusable(transaction, 'its signed form cannot be rebuilt', error);
  }
  if (rebuilt.hash !== transaction.hash) {
    throw unusable(transaction, 'the node omits a part of it that its hash covers');
  }
  return rebuilt.serialized as Hex;
}

/**
 * The signed bytes of a transaction that an engine mined. An engine signs for an account without a key with numbers of a byte: these are
 * replaced by ones of the usual length, so that the size is the one that the transaction would have on the chain.
 * @throws ApiError as `rawTransaction`
 */
export function signedForm(transaction: RpcTransaction): Hex {
  const { hash, r = '0x0', s = '0x0' } = transaction;
  if (BigInt(r) > 1n || BigInt(s) > 1n) return rawTransaction(transaction);
  try {
    const rebuilt = unsignedTransaction(transaction, transaction.chainId ?? '0x0');
    // Below half the order of the curve.
    const number = (digest: string): string => `0x3f${digest.slice(4)}`;
    rebuilt.signature = Signature.from({
      r: number(hash),
      s: number(keccak256(hash)),
      yParity: 1,
    });
    return rebuilt.serialized as Hex;
  } catch (error) {
    throw unusable(transaction, 'its form is not known', error);
  }
}

function rebuild(from: RpcTransaction): Transaction {
  const type = Number(from.type ?? '0x0');
  if (type > 4) throw new Error(`transaction type ${type}`);
  const { r, s, v, yParity } = from;
  if (r === undefined || s === undefined) throw new Error('no signature');
  const chainId = type === 0 ? legacyChainId(v) : (from.chainId ?? '0x0');
  const rebuilt = unsignedTransaction(from, chainId);
  rebuilt.signature = Signature.from({ r: word(r), s: word(s), ...parity(type, v, yParity) });
  return rebuilt;
}

/**
 * The part of a transaction that its signature covers, from its JSON. Types 0 to 4.
 * @throws Error for malformed values
 */
export function unsignedTransaction(
  from: Omit<RpcTransaction, 'hash' | 'from'>,
  chainId: string | bigint,
): Transaction {
  const type = Number(from.type ?? '0x0');
  const common = {
    type,
    nonce: Number(from.nonce),
    gasLimit: from.gas,
    to: from.to,
    value: from.value,
    data: from.input,
    chainId,
  };
  if (type === 0) return Transaction.from({ ...common, gasPrice: from.gasPrice ?? null });
  const listed = { ...common, accessList: from.accessList ?? [] };
  if (type === 1) return Transaction.from({ ...listed, gasPrice: from.gasPrice ?? null });
  const priced = {
    ...listed,
    maxFeePerGas: from.maxFeePerGas ?? null,
    maxPriorityFeePerGas: from.maxPriorityFeePerGas ?? null,
  };
  if (type === 3) {
    return Transaction.from({
      ...priced,
      maxFeePerBlobGas: from.maxFeePerBlobGas ?? null,
      blobVersionedHashes: from.blobVersionedHashes ?? [],
    });
  }
  if (type === 4) {
    return Transaction.from({
      ...priced,
      authorizationList: (from.authorizationList ?? []).map(authorization),
    });
  }
  return Transaction.from(priced);
}

/** EIP-155: v = chainId x 2 + 35 + parity; 27 or 28 if no chain id is signed. */
function legacyChainId(v: Hex | undefined): bigint {
  const value = BigInt(v ?? '0x1b');
  return value >= 35n ? (value - 35n) / 2n : 0n;
}

function parity(
  type: number,
  v: Hex | undefined,
  yParity: Hex | undefined,
): { v: Hex } | { yParity: 0 | 1 } {
  if (type === 0 && v !== undefined) return { v };
  return { yParity: BigInt(yParity ?? v ?? '0x0') === 0n ? 0 : 1 };
}

const authorization = (entry: RpcAuthorization): Authorization => ({
  address: entry.address,
  chainId: BigInt(entry.chainId),
  nonce: BigInt(entry.nonce),
  signature: Signature.from({
    r: word(entry.r),
    s: word(entry.s),
    yParity: BigInt(entry.yParity) === 0n ? 0 : 1,
  }),
});

/** Nodes write signature parts as quantities, without leading zeros. */
const word = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`;

const unusable = (transaction: RpcTransaction, why: string, cause?: unknown): ApiError =>
  new ApiError(
    'upstreamLacksData',
    `transaction ${transaction.hash} of type ${transaction.type ?? '0x0'} cannot be replayed: ${why}`,
    { cause },
  );
