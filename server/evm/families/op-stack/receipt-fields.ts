import type { Hex } from '../../../api/primitives';
import { toQuantity } from '../../forms/quantity';
import type { OpFeeParameters } from './fee-parameters';
import { hasUpgrade, type OpUpgrade } from './upgrades';

/** Fields that nodes of the OP Stack add to a receipt; a deposit has none of them. Quantities, prices and fees in wei. */
export interface OpReceiptFields {
  readonly l1Fee?: Hex;
  /** Base fee of the parent chain. */
  readonly l1GasPrice?: Hex;
  /** Gas on the parent chain; since Fjord an estimate. */
  readonly l1GasUsed?: Hex;
  /** Before Ecotone: a decimal number. */
  readonly l1FeeScalar?: string;
  /** Since Ecotone. */
  readonly l1BlobBaseFee?: Hex;
  readonly l1BaseFeeScalar?: Hex;
  readonly l1BlobBaseFeeScalar?: Hex;
  /** Since Isthmus, unless both are 0. */
  readonly operatorFeeScalar?: Hex;
  readonly operatorFeeConstant?: Hex;
  /** Since Jovian. */
  readonly daFootprintGasScalar?: Hex;
  /** Since Jovian: gas of the data footprint. */
  readonly blobGasUsed?: Hex;
}

/** Parts of a receipt that depend on the data of its transaction. */
export interface DataFees {
  readonly l1Fee: bigint;
  readonly l1GasUsed: bigint;
  readonly daFootprint: bigint;
}

/** The fields as op-geth writes them. */
export function opReceiptFields(
  upgrade: OpUpgrade,
  parameters: OpFeeParameters,
  { l1Fee, l1GasUsed, daFootprint }: DataFees,
): OpReceiptFields {
  const { operatorFeeScalar, operatorFeeConstant } = parameters;
  return {
    l1GasPrice: toQuantity(parameters.l1BaseFee),
    l1GasUsed: toQuantity(l1GasUsed),
    l1Fee: toQuantity(l1Fee),
    ...(parameters.isEcotone
      ? {
          l1BlobBaseFee: toQuantity(parameters.l1BlobBaseFee),
          l1BaseFeeScalar: toQuantity(parameters.baseFeeScalar),
          l1BlobBaseFeeScalar: toQuantity(parameters.blobBaseFeeScalar),
        }
      : { l1FeeScalar: String(Number(parameters.scalar) / 1e6) }),
    ...(operatorFeeScalar === 0n && operatorFeeConstant === 0n
      ? {}
      : {
          operatorFeeScalar: toQuantity(operatorFeeScalar),
          operatorFeeConstant: toQuantity(operatorFeeConstant),
        }),
    ...(hasUpgrade(upgrade, 'jovian')
      ? {
          daFootprintGasScalar: toQuantity(parameters.daFootprintGasScalar),
          blobGasUsed: toQuantity(daFootprint),
        }
      : {}),
  };
}
