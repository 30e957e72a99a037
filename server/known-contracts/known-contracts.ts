import { readFile } from 'node:fs/promises';
import { keccak256 } from 'ethers';
import type { KnownContractSource, KnownName, Network } from '../analysis/ports';
import type { Address, Hash, Hex } from '../api/primitives';
import { builtFile } from '../files/built-file';
import { skeletonOf } from './skeleton';

/** Name, index of the source, and hash of the code where the source publishes it. */
type ListedContract = readonly [name: string, source: number, codeHash?: Hash];
/** Symbol, decimals, and index of the source. */
type ListedToken = readonly [symbol: string, decimals: number, source: number];

/** The content of known-contracts.json, which `collect.mjs` writes. */
export interface KnownContractList {
  readonly sources: readonly string[];
  /** Contracts whose address follows from their code, so that it is the same on every chain. */
  readonly everywhere: Readonly<Record<Address, ListedContract | undefined>>;
  /** By chain id. */
  readonly chains: Readonly<Record<string, ListedChain | undefined>>;
}

interface ListedChain {
  readonly contracts: Readonly<Record<Address, ListedContract | undefined>>;
  readonly tokens: Readonly<Record<Address, ListedToken | undefined>>;
}

export interface KnownToken {
  readonly symbol: string;
  readonly decimals: number;
}

const ETHEREUM = 1;
/** EIP-7702: prefix of the code of an account that delegates to a contract. */
const DELEGATION = '0xef0100';

/** Well-known contracts and tokens by chain id, without any request. Loads the list on first use. */
export class KnownContracts implements KnownContractSource {
  #list: Promise<KnownContractList | undefined> | undefined;
  /** Symbols of well-known tokens by what they look like, by chain id. */
  readonly #symbols = new Map<number, ReadonlyMap<string, string>>();

  /** @param load the list; undefined if the build has not produced it */
  constructor(private readonly load: () => Promise<KnownContractList | undefined> = loadList) {}

  async namesOf(
    { chainId }: Network,
    codes: ReadonlyMap<Address, Hex | true>,
  ): Promise<ReadonlyMap<Address, KnownName>> {
    const names = new Map<Address, KnownName>();
    const list = await this.#loaded();
    const chain = list?.chains[chainId];
    if (!list || !chain) return names;
    for (const [address, code] of codes) {
      if (code === '0x' || (code !== true && code.startsWith(DELEGATION))) continue;
      const listed = chain.contracts[address] ?? list.everywhere[address];
      if (!listed) continue;
      const [name, source, codeHash] = listed;
      if (codeHash !== undefined && (code === true || keccak256(code) !== codeHash)) continue;
      names.set(address, { name, source: list.sources[source] ?? '' });
    }
    return names;
  }

  /** Undefined for tokens that the chain's lists do not contain. */
  async token({ chainId }: Network, address: Address): Promise<KnownToken | undefined> {
    const list = await this.#loaded();
    const chain = list?.chains[chainId];
    const listed = chain?.tokens[address];
    return listed && { symbol: listed[0], decimals: listed[1] };
  }

  /**
   * The symbol of a well-known token or of the native asset that a name at another address imitates; undefined for the token itself, for
   * other listed tokens, and for names of their own. Tokens of Ethereum are well known on every chain.
   */
  async imitated(
    { chainId, nativeSymbol, wrappedNative }: Network,
    address: Address,
    name: string,
  ): Promise<string | undefined> {
    const list = await this.#loaded();
    const own = list?.chains[chainId];
    if (address === wrappedNative || own?.tokens[address]) return undefined;
    const skeleton = skeletonOf(name);
    if (skeleton === '') return undefined;
    if (skeletonOf(nativeSymbol) === skeleton) return nativeSymbol;
    return this.#symbolsOf(list, chainId).get(skeleton);
  }

  #symbolsOf(list: KnownContractList | undefined, chainId: number): ReadonlyMap<string, string> {
    const known = this.#symbols.get(chainId);
    if (known) return known;
    const symbols = new Map<string, string>();
    for (const id of [ETHEREUM, chainId]) {
      const chain = list?.chains[id];
      for (const token of Object.values(chain?.tokens ?? {})) {
        if (token) symbols.set(skeletonOf(token[0]), token[0]);
      }
    }
    symbols.delete('');
    this.#symbols.set(chainId, symbols);
    return symbols;
  }

  #loaded(): Promise<KnownContractList | undefined> {
    return (this.#list ??= this.load());
  }
}

async function loadList(): Promise<KnownContractList | undefined> {
  const path = builtFile('known-contracts.json');
  return path === undefined
    ? undefined
    : (JSON.parse(await readFile(path, 'utf8')) as KnownContractList);
}
