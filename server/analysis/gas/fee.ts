import type { Address } from '../../api/primitives';
import { isDeposit } from '../../evm/forms/deposit';
import type { RpcReceipt } from '../../evm/forms/types';
import { operatorFee } from '../../evm/families/op-stack/fees';
import type { OpReceiptFields } from '../../evm/families/op-stack/receipt-fields';
import {
  BASE_FEE_VAULT,
  L1_FEE_VAULT,
  OPERATOR_FEE_VAULT,
} from '../../evm/families/op-stack/predeploys';
import { isExactOpStack, opUpgradeOf } from '../../evm/families/op-stack/upgrades';
import type { MinedTransaction } from '../ports';

/** A part of the fee that an account received, wei. */
export interface FeeShare {
  readonly recipient: Address;
  readonly received: bigint;
}

/** Payer of the execution, and the parts of the fee that are not burnt; wei. */
export interface GasFee {
  readonly payer: Address;
  readonly paid: bigint;
  /** The block's fee recipient. */
  readonly recipient: Address;
  /** Excludes the base fee and blob fees, which are burnt (EIP-1559, EIP-4844). */
  readonly received: bigint;
  /** What others received: the fee vaults of the OP Stack. */
  readonly others: readonly FeeShare[];
  /** Price times gas used. A private chain may credit all of it to the recipient. */
  readonly execution: bigint;
}

const lower = (address: Address): Address => address.toLowerCase() as Address;

/** Fee for blobs (EIP-4844), wei; 0 if there are none or the node does not report it. */
export const blobFee = ({ blobGasUsed, blobGasPrice }: RpcReceipt): bigint =>
  BigInt(blobGasUsed ?? '0x0') * BigInt(blobGasPrice ?? '0x0');

/**
 * In the native currency: nothing for a fee in a token. Sums up execution, blobs, and on chains of the OP Stack the fees of the parent chain
 * and of the operator.
 */
export function gasFee(mined: MinedTransaction): GasFee {
  const { transaction, receipt, block } = mined;
  const [payer, recipient] = [lower(transaction.from), lower(block.miner)];
  if (receipt.feeToken !== undefined) {
    return { payer, paid: 0n, recipient, received: 0n, others: [], execution: 0n };
  }
  const price = BigInt(receipt.effectiveGasPrice ?? transaction.gasPrice ?? '0x0');
  const baseFee = BigInt(block.baseFeePerGas ?? '0x0');
  const gasUsed = BigInt(receipt.gasUsed);
  const execution = gasUsed * price;
  const tip = price - baseFee;
  const { l1Fee } = receipt as OpReceiptFields;
  const operator = operatorFeeOf(mined);
  return {
    payer,
    paid: execution + blobFee(receipt) + BigInt(l1Fee ?? '0x0') + operator,
    recipient,
    received: tip > 0n ? gasUsed * tip : 0n,
    others:
      l1Fee !== undefined && isExactOpStack(Number(transaction.chainId ?? 0), block)
        ? shares({
            base: gasUsed * (price < baseFee ? price : baseFee),
            l1: BigInt(l1Fee),
            operator,
          })
        : [],
    execution,
  };
}

const shares = (wei: { base: bigint; l1: bigint; operator: bigint }): FeeShare[] =>
  [
    { recipient: BASE_FEE_VAULT, received: wei.base },
    { recipient: L1_FEE_VAULT, received: wei.l1 },
    { recipient: OPERATOR_FEE_VAULT, received: wei.operator },
  ].filter(({ received }) => received > 0n);

/** Wei; 0 for deposits, which pay no fee, and where the receipt does not contain the parameters. */
function operatorFeeOf({ transaction, receipt, block }: MinedTransaction): bigint {
  const fields = receipt as OpReceiptFields;
  const { operatorFeeScalar, operatorFeeConstant } = fields;
  const isFree = isDeposit(transaction);
  if (isFree || (operatorFeeScalar ?? operatorFeeConstant) === undefined) return 0n;
  const parameters = {
    operatorFeeScalar: BigInt(operatorFeeScalar ?? '0x0'),
    operatorFeeConstant: BigInt(operatorFeeConstant ?? '0x0'),
  };
  // Blocks of a fork have no extra data, which shows Jovian on the chain.
  const upgrade =
    fields.daFootprintGasScalar === undefined ? opUpgradeOf(0, block) : ('jovian' as const);
  return operatorFee(parameters, upgrade, BigInt(receipt.gasUsed));
}
