import { keccak256 } from 'ethers';
import type { ContractSource, GivenInterfaces, SignatureSource } from '../../contracts/abi/sources';
import type { CreationCode, LabelSource, Network, PriceSource } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import type { SourceFinder } from '../../contracts/sources/code-sources';

/** Everyone who knows something about contracts, addresses and assets, besides the chain's node. */
export interface Lookups {
  /** The most trustworthy first. */
  readonly contracts: readonly ContractSource[];
  /** The most trustworthy first. */
  readonly signatures: readonly SignatureSource[];
  readonly findCreation: (initCode: Hex) => Promise<CreationCode | undefined>;
  /** Sources of code, the most trustworthy first. */
  readonly finders: readonly SourceFinder[];
  readonly given: GivenInterfaces;
  readonly userLabels: LabelSource;
  /** Labels of the configuration. */
  readonly labels: Readonly<Record<Address, string>>;
  readonly prices: PriceSource;
  readonly isPrivate: (network: Network) => boolean;
}

/** Names code at an address. @param part `d` for deployed code, `c` for creation code */
export const placeOf = (address: Address, part: 'c' | 'd', code: string): string =>
  `${address} ${part} ${hashOf(code)}`;

/** The part of a place that names the code alone. */
export const codeOf = (place: string): string => place.slice(place.indexOf(' ') + 1);

export const hashOf = (code: string): string => keccak256(code).slice(2, 18);
