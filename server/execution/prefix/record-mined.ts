import { ApiError } from '../../api/errors';
import { isDeposit } from '../../evm/forms/deposit';
import type { RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';
import type { ExecutedTransaction, OpenBlock } from './block-executor';
import { rawTransaction } from './raw-transaction';

/**
 * Executes the next transaction of a block, also one of a fork that nobody signed.
 * @throws as `OpenBlock.record`
 */
export const recordMined = (
  open: OpenBlock,
  header: RpcBlockHeader,
  transaction: RpcTransaction,
): Promise<ExecutedTransaction> =>
  hasSignedForm(transaction)
    ? open.record(transaction)
    : open.simulate({ transaction, header, overrides: {}, keepsNonce: true });

/** Forks mine transactions that nobody signed, whose signed form does not have their hash. */
export function hasSignedForm(transaction: RpcTransaction): boolean {
  if (isDeposit(transaction)) return true;
  try {
    rawTransaction(transaction);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
