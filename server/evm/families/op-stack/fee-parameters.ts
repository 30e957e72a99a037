import { toWord } from '../../forms/quantity';
import type { Hash } from '../../../api/primitives';
import { hasUpgrade, type OpUpgrade } from './upgrades';

/** What fees of a chain are computed from: the storage of its L1Block predeploy (OP specs, predeploys). Prices in wei. */
export interface OpFeeParameters {
  /** Whether the parameters of Ecotone are set. */
  readonly isEcotone: boolean;
  readonly l1BaseFee: bigint;
  /** Since Ecotone. */
  readonly l1BlobBaseFee: bigint;
  readonly baseFeeScalar: bigint;
  readonly blobBaseFeeScalar: bigint;
  /** Before Ecotone. */
  readonly overhead: bigint;
  readonly scalar: bigint;
  /** Since Isthmus. */
  readonly operatorFeeScalar: bigint;
  readonly operatorFeeConstant: bigint;
  /** Since Jovian: gas of the block's data footprint for each byte of a transaction. */
  readonly daFootprintGasScalar: bigint;
}

/** OP specs, Jovian: the scalar where none is set. */
const DEFAULT_FOOTPRINT_SCALAR = 400n;

const [L1_BASE_FEE, SCALARS, OVERHEAD, SCALAR, L1_BLOB_BASE_FEE] = [1, 3, 5, 6, 7].map((slot) =>
  toWord(slot),
) as [Hash, Hash, Hash, Hash, Hash];
/** Slot of `L1_BLOCK` with the parameters of the operator fee. */
export const OPERATOR_FEE_SLOT: Hash = toWord(8);

/** All slots of `L1_BLOCK` that contain parameters. */
export const FEE_SLOTS: readonly Hash[] = [
  L1_BASE_FEE,
  SCALARS,
  OVERHEAD,
  SCALAR,
  L1_BLOB_BASE_FEE,
  OPERATOR_FEE_SLOT,
];

/** Reads the parameters that an upgrade uses; the others are 0. @param read returns a slot of `L1_BLOCK` */
export async function readFeeParameters(
  upgrade: OpUpgrade,
  read: (slot: Hash) => Promise<bigint>,
): Promise<OpFeeParameters> {
  const isEcotone = hasUpgrade(upgrade, 'ecotone');
  const [l1BaseFee, scalars, l1BlobBaseFee, operator] = await Promise.all([
    read(L1_BASE_FEE),
    isEcotone ? read(SCALARS) : 0n,
    isEcotone ? read(L1_BLOB_BASE_FEE) : 0n,
    hasUpgrade(upgrade, 'isthmus') ? read(OPERATOR_FEE_SLOT) : 0n,
  ]);
  // The word is packed from the right: sequence number (8 bytes), blob scalar (4), scalar (4).
  const [blobBaseFeeScalar, baseFeeScalar] = [(scalars >> 64n) & UINT32, (scalars >> 96n) & UINT32];
  // In the first block of Ecotone, its parameters are not set yet.
  const isOld = baseFeeScalar === 0n && blobBaseFeeScalar === 0n && l1BlobBaseFee === 0n;
  const [overhead, scalar] = isOld ? await Promise.all([read(OVERHEAD), read(SCALAR)]) : [0n, 0n];
  return {
    isEcotone: !isOld,
    l1BaseFee,
    l1BlobBaseFee,
    baseFeeScalar,
    blobBaseFeeScalar,
    overhead,
    scalar,
    ...operatorFeeParameters(operator),
    daFootprintGasScalar: hasUpgrade(upgrade, 'jovian') ? footprintScalar(operator) : 0n,
  };
}

/** @param word of `OPERATOR_FEE_SLOT` */
export const operatorFeeParameters = (
  word: bigint,
): Pick<OpFeeParameters, 'operatorFeeScalar' | 'operatorFeeConstant'> => ({
  operatorFeeConstant: word & UINT64,
  operatorFeeScalar: (word >> 64n) & UINT32,
});

const footprintScalar = (word: bigint): bigint =>
  (word >> 96n) & UINT16 || DEFAULT_FOOTPRINT_SCALAR;

const UINT16 = 2n ** 16n - 1n;
const UINT32 = 2n ** 32n - 1n;
const UINT64 = 2n ** 64n - 1n;
