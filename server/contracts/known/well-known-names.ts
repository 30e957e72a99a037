import type { Address } from '../../api/primitives';
import type { KnownContractList } from './contract-list';
import { casedSkeletonOf, skeletonOf } from './skeleton';

const ETHEREUM = 1;
/** Shorter names of contracts are words of their own, not the symbol of a token. */
const MIN_SYMBOL_CHARACTERS = 3;
/** Version at the end of a listed name, such as `Seaport 1.6`. */
const LISTED_VERSION = / \d+(\.\d+)*$/;
/** Version at the end of the name in a source, such as `UniswapV2Router02`. */
const SOURCE_VERSION = /[\s_-]*v?\d+([._]\d+)*$/i;

/** The names that are well known on a chain, by what they look like: those of its own lists and those of Ethereum. */
export class WellKnownNames {
  readonly #own = new Set<string>();
  readonly #symbols = new Map<string, string>();
  readonly #contracts = new Map<string, string>();

  constructor(list: KnownContractList | undefined, chainId: number) {
    const own = list?.chains[chainId];
    const ethereum = list?.chains[ETHEREUM];
    for (const listed of [list?.everywhere, own?.contracts, own?.tokens]) {
      for (const address of Object.keys(listed ?? {})) this.#own.add(address);
    }
    for (const chain of [ethereum, own]) {
      for (const token of Object.values(chain?.tokens ?? {})) {
        if (token) this.#symbols.set(skeletonOf(token[0]), token[0]);
      }
    }
    for (const contracts of [list?.everywhere, ethereum?.contracts, own?.contracts]) {
      for (const contract of Object.values(contracts ?? {})) {
        if (contract) this.#addContract(contract[0]);
      }
    }
    this.#symbols.delete('');
  }

  /** Whether the chain's lists contain the address, as a contract or a token. */
  isListed(address: Address): boolean {
    return this.#own.has(address);
  }

  /** The symbol that a token's symbol looks like. */
  symbolLike(symbol: string, nativeSymbol: string): string | undefined {
    const skeleton = skeletonOf(symbol);
    if (skeleton === '') return undefined;
    return skeleton === skeletonOf(nativeSymbol) ? nativeSymbol : this.#symbols.get(skeleton);
  }

  /** The symbol that a contract's name looks like in the same case: `Auction` is a word, `AUCTION` a token. */
  symbolWrittenLike(name: string, nativeSymbol: string): string | undefined {
    const symbol = this.symbolLike(name, nativeSymbol);
    if (symbol === undefined || symbol.length < MIN_SYMBOL_CHARACTERS) return undefined;
    return casedSkeletonOf(name) === casedSkeletonOf(symbol) ? symbol : undefined;
  }

  /** The contract that a contract's name looks like; the version at its end does not count. */
  contractLike(name: string): string | undefined {
    return (
      this.#contracts.get(skeletonOf(name)) ??
      this.#contracts.get(skeletonOf(name.replace(SOURCE_VERSION, '')) || name)
    );
  }

  #addContract(name: string): void {
    this.#contracts.set(skeletonOf(name), name);
    const plain = skeletonOf(name.replace(LISTED_VERSION, ''));
    if (!this.#contracts.has(plain)) this.#contracts.set(plain, name.replace(LISTED_VERSION, ''));
  }
}
