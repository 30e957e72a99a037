import { readFile } from 'node:fs/promises';
import { keccak256 } from 'ethers';
import type { KnownContractSource, KnownName, Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import { builtFile } from '../../kernel/files/built-file';
import type { KnownContractList } from './contract-list';
import { WellKnownNames } from './well-known-names';

export interface KnownToken {
  readonly symbol: string;
  readonly decimals: number;
}

/** EIP-7702: prefix of the code of an account that delegates to a contract. */
const DELEGATION = '0xef0100';

/** Well-known contracts and tokens by chain id, without any request. Loads the list on first use. */
export class KnownContracts implements KnownContractSource {
  #list: Promise<KnownContractList | undefined> | undefined;
  /** By chain id. */
  readonly #names = new Map<number, WellKnownNames>();

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

  async tokensOf({ chainId }: Network): Promise<readonly Address[]> {
    const list = await this.#loaded();
    const chain = list?.chains[chainId];
    return Object.keys(chain?.tokens ?? {}) as Address[];
  }

  /**
   * The symbol of a well-known token or of the native asset that a symbol at another address imitates; undefined for the token itself, for
   * other listed tokens, and for symbols of their own. Tokens of Ethereum are well known on every chain.
   */
  async imitated(network: Network, address: Address, symbol: string): Promise<string | undefined> {
    if (address === network.wrappedNative) return undefined;
    const names = await this.#namesOn(network.chainId);
    return names.isListed(address) ? undefined : names.symbolLike(symbol, network.nativeSymbol);
  }

  /**
   * The name of a well-known contract, or the symbol of a token, that the name of a contract at another address imitates; undefined for
   * listed contracts and tokens, and for names of their own. Contracts of Ethereum are well known on every chain.
   */
  async imitatedContract(
    network: Network,
    address: Address,
    name: string,
  ): Promise<string | undefined> {
    if (await this.isListed(network, address)) return undefined;
    const names = await this.#namesOn(network.chainId);
    return names.contractLike(name) ?? names.symbolWrittenLike(name, network.nativeSymbol);
  }

  /** Whether a list of the chain contains the address, as a contract or a token. */
  async isListed({ chainId, wrappedNative }: Network, address: Address): Promise<boolean> {
    return address === wrappedNative || (await this.#namesOn(chainId)).isListed(address);
  }

  async #namesOn(chainId: number): Promise<WellKnownNames> {
    const list = await this.#loaded();
    const known = this.#names.get(chainId) ?? new WellKnownNames(list, chainId);
    this.#names.set(chainId, known);
    return known;
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
