import type { Common } from '@ethereumjs/common';
import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import { Signature } from 'ethers';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcTransaction } from '../../evm/forms/types';
import { unsignedTransaction } from '../prefix/raw-transaction';

/** The virtual machine reads transactions with a signature only; the sender is set instead of recovered from it. */
const ANY_SIGNATURE = { r: toWord(1), s: toWord(1), yParity: 0 } as const;

/**
 * A transaction that nobody signed, in the form of the virtual machine.
 * @throws Error if the hardfork has no such transaction
 */
export function unsignedTx(
  transaction: RpcTransaction,
  nonce: bigint,
  common: Common,
): TypedTransaction {
  const { gasPrice = '0x0', maxFeePerGas = gasPrice, maxPriorityFeePerGas } = transaction;
  const priced = {
    ...transaction,
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? maxFeePerGas,
    nonce: toQuantity(nonce),
  };
  const unsigned = unsignedTransaction(priced, common.chainId());
  unsigned.signature = Signature.from(ANY_SIGNATURE);
  const bytes = Buffer.from(unsigned.serialized.slice(2), 'hex');
  const tx = createTxFromRLP(bytes, { common, freeze: false });
  const sender = createAddressFromString(transaction.from);
  tx.getSenderAddress = () => sender;
  return tx;
}
