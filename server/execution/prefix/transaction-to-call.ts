import type { RpcTransaction } from '../../evm/forms/types';

/** Converts a transaction to the call object of `eth_call` and similar methods. The nonce is the state's. */
export function asCall(transaction: RpcTransaction): Record<string, unknown> {
  const { from, to, value, input, gas } = transaction;
  const { accessList, authorizationList, blobVersionedHashes, maxFeePerBlobGas } = transaction;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return {
    from,
    ...(to === null ? {} : { to }),
    value,
    data: input,
    gas,
    ...(accessList && { accessList }),
    ...(authorizationList && { authorizationList }),
    ...(blobVersionedHashes && { blobVersionedHashes, maxFeePerBlobGas }),
    ...(maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas }),
  };
}

/** The same with the transaction's own nonce, for the state immediately before its execution. */
export const asCallWithNonce = (transaction: RpcTransaction): Record<string, unknown> => ({
  ...asCall(transaction),
  nonce: transaction.nonce,
});
