import type { Common } from '@ethereumjs/common';
import { getCalldataFloorGas, type TypedTransaction } from '@ethereumjs/tx';
import type { RunTxResult } from '@ethereumjs/vm';
import type { ExecutedTransaction } from '../prefix/block-executor';

/**
 * Gas of the top call. Since Amsterdam it includes what the state requires before the call, such as the gas of authorizations, and the gas
 * for state that was paid from the reservoir (EIP-8037).
 */
export function spentGasOf(
  tx: TypedTransaction,
  { execResult, blockGasSpent }: RunTxResult,
  common: Common,
): ExecutedTransaction['spentGas'] {
  const failed = execResult.exceptionError !== undefined;
  const counter = failed ? 0 : Number(execResult.gasRefund ?? 0n);
  const executed = Number(execResult.executionGasUsed);
  if (!common.isActivatedEIP(8037)) return { spent: executed, counter };
  const floor = getCalldataFloorGas(tx, tx.getSenderAddress());
  if (blockGasSpent > floor)
    return { spent: Number(blockGasSpent - tx.getIntrinsicGas()), counter };
  // The floor hides the rest. Without a reservoir and authorizations there is none.
  const isWhole =
    tx.gasLimit <= tx.common.param('maxTransactionGasLimit') && !('authorizationList' in tx);
  return isWhole ? { spent: executed, counter } : undefined;
}
