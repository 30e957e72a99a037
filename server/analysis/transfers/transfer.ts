import type { Address } from '../../api/primitives';
import type { Contract } from '../ports';

export type TokenStandard = 'native' | 'erc20' | 'erc721' | 'erc1155';

/**
 * A transfer that was not rolled back. A side is undefined if no account is on it: ether minted by a deposit or burnt by a
 * self-destruction.
 */
export interface Transfer {
  readonly standard: TokenStandard;
  /** `NATIVE_ASSET` or the token contract. */
  readonly asset: Address;
  readonly tokenId?: bigint;
  readonly from?: Address | undefined;
  readonly to?: Address | undefined;
  /** In the smallest unit; 1 for an ERC-721 token. */
  readonly amount: bigint;
  /** Set if only the token's event says so, because the balances could not be read. */
  readonly isClaimed?: true;
}

export interface TransferContext {
  readonly wrappedNative?: Address | undefined;
  readonly contracts: ReadonlyMap<Address, Contract>;
  /** EIP-6780 (Cancun): only a contract created in the same transaction is destroyed. */
  readonly destructionNeedsCreation: boolean;
  /** EIP-8246 (Amsterdam): a destroyed contract keeps its ether. */
  readonly destructionKeepsEther?: boolean;
  /** Ether that the transaction minted before its first call, wei; kept even if the call fails. */
  readonly mint?: bigint;
}
