import { Transaction } from 'ethers';
import { invalidField } from '../../api/errors';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { InsertedTransaction } from '../../api/reorder';
import { toQuantity } from '../../evm/forms/quantity';

/** EIP-4844 and EIP-7702: an inserted transaction has neither blobs nor authorizations. */
const MOST_TYPE = 2;

/**
 * A signed transaction (EIP-2718, or RLP before it) in the form of one that nobody signed.
 * @param place of the bytes in the request
 * @throws ApiError `invalidField`
 */
export function readSigned(raw: string, chainId: number, place: string): InsertedTransaction {
  const accepted = `a signed transaction of type 0, 1 or 2 for the chain id ${chainId}`;
  let signed: Transaction;
  let from: string | null;
  try {
    signed = Transaction.from(raw);
    from = signed.from; // recovered from the signature
  } catch {
    throw invalidField(place, raw, accepted);
  }
  const { to, value, data, gasLimit, type } = signed;
  const isOfChain = signed.chainId === 0n || signed.chainId === BigInt(chainId);
  if (from === null || type === null || type > MOST_TYPE || !isOfChain) {
    throw invalidField(place, raw, accepted);
  }
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = signed;
  return {
    from: from.toLowerCase() as Address,
    to: to === null ? null : (to.toLowerCase() as Address),
    value: toQuantity(value),
    data: data as Hex,
    gas: toQuantity(gasLimit),
    ...(type === MOST_TYPE
      ? {
          maxFeePerGas: toQuantity(maxFeePerGas ?? 0n),
          maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas ?? 0n),
        }
      : { gasPrice: toQuantity(gasPrice ?? 0n) }),
    ...(accessList && {
      accessList: accessList.map(({ address, storageKeys }) => ({
        address: address.toLowerCase() as Address,
        storageKeys: storageKeys as Hash[],
      })),
    }),
  };
}
