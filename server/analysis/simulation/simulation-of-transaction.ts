import type { MinedTransaction } from '../ports';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { SimulateBody } from '../../api/simulate';
import type { RpcTransaction } from '../../evm/forms/types';

/** The body of `simulate` that executes a transaction again on the state that it found: with its gas limit, fees and lists. */
export function simulationOf({ transaction }: Pick<MinedTransaction, 'transaction'>): SimulateBody {
  const { from, to, value, input, gas, blockNumber, transactionIndex } = transaction;
  return {
    from: lower(from),
    ...(to !== null && { to: lower(to) }),
    value,
    data: input,
    gas,
    ...feesOf(transaction),
    ...listsOf(transaction),
    height: blockNumber ?? 'latest',
    position: Number(transactionIndex ?? 0),
    stateOverrides: {},
    blockOverrides: {},
  };
}

/** Nodes report the price that was paid as `gasPrice` of every type. */
function feesOf({
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: RpcTransaction): Partial<SimulateBody> {
  if (maxFeePerGas === undefined) return gasPrice === undefined ? {} : { gasPrice };
  return { maxFeePerGas, ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas }) };
}

function listsOf(transaction: RpcTransaction): Partial<SimulateBody> {
  const { accessList = [], blobVersionedHashes = [], maxFeePerBlobGas } = transaction;
  const authorizationList = (transaction.authorizationList ?? []).map((one) => {
    const { chainId, address, nonce, yParity, r, s } = one;
    return { chainId, address: lower(address), nonce, yParity, r, s };
  });
  return {
    ...(accessList.length > 0 && {
      accessList: accessList.map(({ address, storageKeys }) => ({
        address: lower(address),
        storageKeys: storageKeys.map((key) => key.toLowerCase() as Hash),
      })),
    }),
    ...(authorizationList.length > 0 && { authorizationList }),
    ...(blobVersionedHashes.length > 0 && { blobVersionedHashes, maxFeePerBlobGas }),
  };
}

const lower = (address: Hex): Address => address.toLowerCase() as Address;
