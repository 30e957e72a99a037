import type { TransactionLike, Wallet } from 'ethers';
import type { Address, Hash, Hex } from '../../../server/api/primitives';

/** Hardforks of the suite that EDR executes as well, oldest first, in anvil's spelling. */
export const HARDFORKS = ['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague'] as const;
/** Those of the adversarial blocks. Osaka has the blob parameters of mainnet since January 2026. */
export const ALL_HARDFORKS = [...HARDFORKS, 'osaka', 'amsterdam'] as const;

const ALL = [
  'frontier',
  'homestead',
  'tangerine',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  ...ALL_HARDFORKS,
] as const;
export type PlannedHardfork = (typeof ALL)[number];

export const isSince = (hardfork: PlannedHardfork, first: PlannedHardfork): boolean =>
  ALL.indexOf(hardfork) >= ALL.indexOf(first);

/** An account of the first block. Missing fields are zero or empty. */
export interface PlannedAccount {
  balance?: bigint;
  nonce?: number;
  code?: Hex;
  /** By slot, 32 bytes each. */
  storage?: Record<Hash, Hash>;
}

export interface PlannedTransaction {
  wallet: Wallet;
  /** Missing nonce, chain id, gas limit and prices get default values. */
  transaction: TransactionLike;
}

export interface PlannedBlock {
  transactions: readonly PlannedTransaction[];
  coinbase?: Address;
  prevRandao?: Hash;
  /** EIP-4844: determines the price of blob gas. */
  excessBlobGas?: bigint;
  /** EIP-4895, wei. */
  withdrawals?: readonly { address: Address; wei: bigint }[];
}

/** A scripted chain: the state before its first block, and the blocks. */
export interface ChainPlan {
  hardfork: PlannedHardfork;
  alloc: Record<Address, PlannedAccount>;
  blocks: readonly PlannedBlock[];
  chainId?: number;
}
