import type { Address, Hash } from '../../api/primitives';

/** Name, index of the source, and hash of the code where the source publishes it. */
type ListedContract = readonly [name: string, source: number, codeHash?: Hash];
/** Symbol, decimals, and index of the source. */
type ListedToken = readonly [symbol: string, decimals: number, source: number];

/** The content of known-contracts.json, which `collect.mjs` writes. */
export interface KnownContractList {
  readonly sources: readonly string[];
  /** Contracts with the same address on every chain, because it is derived from their code. */
  readonly everywhere: Readonly<Record<Address, ListedContract | undefined>>;
  /** By chain id. */
  readonly chains: Readonly<Record<string, ListedChain | undefined>>;
}

interface ListedChain {
  readonly contracts: Readonly<Record<Address, ListedContract | undefined>>;
  readonly tokens: Readonly<Record<Address, ListedToken | undefined>>;
}
