import { flzLength } from './flz-length';
import type { OpFeeParameters } from './fee-parameters';
import { hasUpgrade, type OpUpgrade } from './upgrades';

/** Fjord: bytes of a transaction by linear regression, times 10^6. */
const INTERCEPT = -42_585_600n;
const PER_BYTE = 836_500n;
const LEAST_SIZE = 100_000_000n;

/**
 * Fee for the data on the parent chain, wei (OP specs: L1 cost fees, Ecotone, Fjord).
 * @param raw the signed bytes of the transaction
 */
export function l1Fee(parameters: OpFeeParameters, upgrade: OpUpgrade, raw: Uint8Array): bigint {
  const { l1BaseFee, l1BlobBaseFee, baseFeeScalar, blobBaseFeeScalar } = parameters;
  const { overhead, scalar } = parameters;
  if (!parameters.isEcotone) {
    return ((dataGas(raw) + overhead) * l1BaseFee * scalar) / 1_000_000n;
  }
  const price = 16n * baseFeeScalar * l1BaseFee + blobBaseFeeScalar * l1BlobBaseFee;
  if (!hasUpgrade(upgrade, 'fjord')) return (dataGas(raw) * price) / 16_000_000n;
  return (estimatedSize(raw) * price) / 1_000_000_000_000n;
}

/**
 * Gas on the parent chain for the data, as receipts report it (`l1GasUsed` of op-geth).
 * @param raw the signed bytes of the transaction
 */
export function l1GasUsed(
  { isEcotone, overhead }: OpFeeParameters,
  upgrade: OpUpgrade,
  raw: Uint8Array,
): bigint {
  if (!isEcotone) return dataGas(raw) + overhead;
  return hasUpgrade(upgrade, 'fjord') ? (estimatedSize(raw) * 16n) / 1_000_000n : dataGas(raw);
}

/** Gas that a transaction adds to its block's data footprint (OP specs, Jovian); 0 before Jovian. */
export const daFootprint = (
  { daFootprintGasScalar }: OpFeeParameters,
  upgrade: OpUpgrade,
  raw: Uint8Array,
): bigint =>
  hasUpgrade(upgrade, 'jovian') ? (estimatedSize(raw) / 1_000_000n) * daFootprintGasScalar : 0n;

/** Fjord: bytes times 10^6. */
function estimatedSize(raw: Uint8Array): bigint {
  const estimate = INTERCEPT + PER_BYTE * BigInt(flzLength(raw));
  return estimate < LEAST_SIZE ? LEAST_SIZE : estimate;
}

/** Gas of the data by EIP-2028. */
function dataGas(raw: Uint8Array): bigint {
  let gas = 0;
  for (const byte of raw) gas += byte === 0 ? 4 : 16;
  return BigInt(gas);
}

/** Fee of the operator, wei (OP specs, Isthmus and Jovian). @param gas gas used, or the gas limit for what is charged in advance */
export function operatorFee(
  {
    operatorFeeScalar,
    operatorFeeConstant,
  }: Pick<OpFeeParameters, 'operatorFeeScalar' | 'operatorFeeConstant'>,
  upgrade: OpUpgrade,
  gas: bigint,
): bigint {
  if (!hasUpgrade(upgrade, 'isthmus')) return 0n;
  const scaled = hasUpgrade(upgrade, 'jovian')
    ? gas * operatorFeeScalar * 100n
    : (gas * operatorFeeScalar) / 1_000_000n;
  return scaled + operatorFeeConstant;
}
