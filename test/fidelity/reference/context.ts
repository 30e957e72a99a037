import type { HeaderData } from '@ethereumjs/block';
import type { Transaction, TransactionLike } from 'ethers';
import type { Address, Hash } from '../../../server/api/primitives';
import { isSince, type PlannedHardfork } from './plan';

export const GWEI = 10n ** 9n;
const CHAIN_ID = 1;
/** Difficulty of blocks before the merge. */
const DIFFICULTY = 0x20000n;

/** Facts of a block that its transactions can read. */
export interface BlockContext {
  number: bigint;
  timestamp: bigint;
  parentHash: Hash;
  coinbase: Address;
  prevRandao: Hash;
  gasLimit: bigint;
  baseFee: bigint | undefined;
  excessBlobGas: bigint | undefined;
  beaconRoot: Hash | undefined;
  /** Whether the system writes into its contracts at the start of the block (EIP-4788, EIP-2935). Hardhat's node does not. */
  systemCalls: boolean;
  /** Set before the merge. */
  difficulty?: bigint;
}

/** Hardfork names of @ethereumjs/common. */
export const NAMES = {
  frontier: 'Chainstart',
  homestead: 'Homestead',
  tangerine: 'TangerineWhistle',
  spuriousDragon: 'SpuriousDragon',
  byzantium: 'Byzantium',
  constantinople: 'Constantinople',
  petersburg: 'Petersburg',
  istanbul: 'Istanbul',
  berlin: 'Berlin',
  london: 'London',
  paris: 'Paris',
  shanghai: 'Shanghai',
  cancun: 'Cancun',
  prague: 'Prague',
  // The blob parameters of mainnet since January 2026 (EIP-8135).
  osaka: 'Bpo2',
  amsterdam: 'Amsterdam',
} as const;

/** EIP-7843: some slots have no block. */
export const slotOf = (number: bigint): bigint => 3n * number + 1_000n;

export function headerData(context: BlockContext, hardfork: PlannedHardfork): HeaderData {
  const { baseFee, excessBlobGas, beaconRoot } = context;
  const isMerged = isSince(hardfork, 'paris');
  return {
    number: context.number,
    timestamp: context.timestamp,
    parentHash: context.parentHash,
    coinbase: context.coinbase,
    gasLimit: context.gasLimit,
    mixHash: context.prevRandao,
    difficulty: isMerged ? 0n : (context.difficulty ?? DIFFICULTY),
    ...(baseFee === undefined ? {} : { baseFeePerGas: baseFee }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas }),
    ...(beaconRoot === undefined ? {} : { parentBeaconBlockRoot: beaconRoot }),
    ...(isSince(hardfork, 'amsterdam') ? { slotNumber: slotOf(context.number) } : {}),
  };
}

export function priceOf(
  { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Transaction,
  baseFee: bigint,
): bigint {
  if ((type ?? 0) < 2) return gasPrice ?? 0n;
  const highest = maxFeePerGas ?? 0n;
  const wanted = baseFee + (maxPriorityFeePerGas ?? 0n);
  return wanted < highest ? wanted : highest;
}

export function withDefaults(
  transaction: TransactionLike,
  hardfork: PlannedHardfork,
  nonce: number,
): TransactionLike {
  const type = transaction.type ?? (isSince(hardfork, 'london') ? 2 : 0);
  const price =
    type < 2
      ? { gasPrice: 10n * GWEI }
      : { maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: 2n * GWEI };
  const blobs = type === 3 ? { maxFeePerBlobGas: 10n ** 12n } : {};
  return {
    chainId: CHAIN_ID,
    gasLimit: 1_000_000,
    type,
    nonce,
    ...price,
    ...blobs,
    ...transaction,
  };
}
