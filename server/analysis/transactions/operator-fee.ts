import type { Hex } from '../../api/primitives';
import { isDeposit } from '../../evm/forms/deposit';
import { ApiError } from '../../api/errors';
import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import {
  OPERATOR_FEE_SLOT,
  operatorFeeParameters,
} from '../../evm/families/op-stack/fee-parameters';
import type { OpReceiptFields } from '../../evm/families/op-stack/receipt-fields';
import { L1_BLOCK } from '../../evm/families/op-stack/predeploys';
import { hasUpgrade, isExactOpStack, opUpgradeOf } from '../../evm/families/op-stack/upgrades';
import type { MinedTransaction, Network } from '../ports';

/** Adds the parameters of the operator fee (OP Stack, Isthmus) to a receipt that lacks them: not every node reports them. */
export async function withOperatorFee(
  network: Network,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<MinedTransaction> {
  const { transaction, receipt, block } = mined;
  const { operatorFeeScalar, operatorFeeConstant } = receipt as OpReceiptFields;
  const isComplete = operatorFeeScalar !== undefined && operatorFeeConstant !== undefined;
  const isCharged =
    network.replayable &&
    isExactOpStack(network.chainId, block) &&
    hasUpgrade(opUpgradeOf(network.chainId, block), 'isthmus') &&
    !isDeposit(transaction);
  if (isComplete || !isCharged) return mined;
  const word = await slotOf(network, block.number, signal);
  if (word === undefined) return mined;
  const parameters = operatorFeeParameters(word);
  const fields: OpReceiptFields = {
    operatorFeeScalar: toQuantity(parameters.operatorFeeScalar),
    operatorFeeConstant: toQuantity(parameters.operatorFeeConstant),
  };
  return { ...mined, receipt: { ...receipt, ...fields } };
}

/** Undefined if the node does not have the state. */
async function slotOf(
  { rpc }: Network,
  block: Hex,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  try {
    const params = [L1_BLOCK, OPERATOR_FEE_SLOT, block];
    return BigInt((await rpc.request('eth_getStorageAt', params, { signal })) as Hex);
  } catch (error) {
    if (signal.aborted || !(error instanceof RpcError || error instanceof ApiError)) throw error;
    return undefined;
  }
}
