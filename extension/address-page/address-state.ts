import type { AddressTransactions } from '../../server/api/chain-explorer';
import type { AddressSource } from '../../server/api/contract-source';
import type { AddressFacts } from '../../server/api/lookup';
import type { Address } from '../../server/api/primitives';
import type { TokenBalances } from '../../server/api/token-balances';

/** A part of the page: undefined while it is loading. */
export type Loaded<T> = { readonly value: T } | { readonly problem: string } | undefined;

export interface RecentLink {
  readonly title: string;
  readonly chain: string;
  readonly transaction: string;
}

/** What a page shows. Its parts are loaded and fail independently. */
export interface AddressState {
  readonly chain: string;
  readonly address: Address;
  readonly facts: Loaded<AddressFacts>;
  /** Of an account without code it is not asked for. */
  readonly source: Loaded<AddressSource>;
  readonly transactions: Loaded<AddressTransactions>;
  /** Undefined also while its transactions are loading, which name tokens. */
  readonly balances: Loaded<TokenBalances>;
  /** Opened lately, among the transactions of the address. */
  readonly recent: readonly RecentLink[];
  /** Page of the chain's block explorer. */
  readonly explorer?: string | undefined;
}
