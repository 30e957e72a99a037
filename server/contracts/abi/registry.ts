import { neverAborted } from '../../kernel/async/never-aborted';
import type {
  AbiSource,
  Contract,
  CreationCode,
  Identification,
  IdentifyRequest,
  Network,
} from '../../analysis/ports';
import type { ContractInterface } from '../../analysis/contract-interface';
import type { MethodName } from '../../api/chain-explorer';
import { isGuess } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import type { CodeShapes } from './code-shapes';
import { ContractCodes } from './contract-codes';
import { findImplementations, type ProxyTargets } from './proxies';
import type {
  ContractSource,
  GivenInterfaces,
  KnownContract,
  SignatureSource,
  WantedSignatures,
} from './sources';

export interface AbiRegistryOptions {
  /** The most trustworthy first. A later source is asked only about contracts that the earlier ones do not know. */
  contracts: readonly ContractSource[];
  /** The most trustworthy first. A remote service is asked only for signatures that the sources before it do not know. */
  signatures: readonly SignatureSource[];
  /** Whether a network is private: no service receives data about it. */
  isPrivate?: (network: Network) => boolean;
  /** Infers functions without a known signature from bytecode. */
  shapes?: CodeShapes;
  /** ABIs that users gave for addresses. */
  given?: GivenInterfaces;
  findCreation: (initCode: Hex) => Promise<CreationCode | undefined>;
}

/** Combines all sources of contract interfaces. */
export class AbiRegistry implements AbiSource {
  readonly #codes = new ContractCodes();

  constructor(private readonly options: AbiRegistryOptions) {}

  async identify(
    network: Network,
    request: IdentifyRequest,
    signal: AbortSignal,
  ): Promise<Identification> {
    const { deployed, block } = request;
    const existing = [...request.addresses].filter((address) => !deployed.has(address));
    const codes = new Map([
      ...deployed,
      ...(await this.#codes.read(network, existing, block, signal)),
    ]);
    const proxies = await findImplementations(network, codes, block.number, signal);
    const implementations = new Set([...proxies.values()].flatMap(targetsOf));
    const unread = [...implementations].filter((address) => !codes.has(address));
    for (const [address, code] of await this.#codes.read(network, unread, block, signal)) {
      codes.set(address, code);
    }
    const [known, given, creations] = await Promise.all([
      this.#find(network, codes, signal),
      this.#given(network, codes.keys()),
      this.#creations(request.initCodes),
    ]);
    const contracts = new Map<Address, Contract>();
    for (const [address, code] of codes) {
      const givenAbi = given.get(address);
      contracts.set(address, {
        code,
        ...(givenAbi?.name ? { name: givenAbi.name } : {}),
        ...known.get(address),
        ...(givenAbi?.name && !known.get(address)?.name ? { isNameGiven: true as const } : {}),
        ...proxies.get(address),
        ...(givenAbi ? { given: givenAbi.interface } : {}),
      });
    }
    const interfaces = [...known.values(), ...given.values()].map((one) => one.interface);
    const sources = this.#acceptingSources(network, this.options.signatures);
    const signatures = await this.#signatures(sources, request, interfaces, signal);
    const { selectors } = unknownTo([...interfaces, ...signatures], request);
    const shapes =
      selectors.size > 0 && (await this.options.shapes?.of(codes.values(), selectors, signal));
    return { contracts, creations, signatures, ...(shapes ? { shapes } : {}) };
  }

  #acceptingSources<S extends { remote?: boolean }>(
    network: Network,
    sources: readonly S[],
  ): readonly S[] {
    const isPrivate = this.options.isPrivate?.(network) ?? false;
    return isPrivate ? sources.filter(({ remote }) => !remote) : sources;
  }

  async #given(
    { key, chain, user }: Network,
    addresses: Iterable<Address>,
  ): Promise<ReadonlyMap<Address, KnownContract>> {
    const { given } = this.options;
    if (!given || user === undefined) return new Map();
    return given.givenBy(user, chain === undefined ? [key] : [key, chain], addresses);
  }

  /** Remote services come last, and receive only unknown hashes. */
  async #signatures(
    sources: readonly SignatureSource[],
    { selectors, topics }: WantedSignatures,
    known: readonly ContractInterface[],
    signal: AbortSignal,
  ): Promise<ContractInterface[]> {
    const found: ContractInterface[] = [];
    let open = unknownTo(known, { selectors, topics });
    for (const source of sources) {
      const more = await source.candidates(source.remote ? open : { selectors, topics }, signal);
      found.push(...more);
      open = unknownTo(more, open);
    }
    return found;
  }

  /** What is known of selectors and topics that belong to no network. */
  async known(wanted: WantedSignatures, signal: AbortSignal): Promise<Identification> {
    const signatures = await this.#signatures(this.options.signatures, wanted, [], signal);
    return { contracts: new Map(), creations: new Map(), signatures };
  }

  /** Names of functions by selector from local sources only, for lists that do not identify contracts. Unknown selectors have no entry. */
  async methodNames(selectors: ReadonlySet<Hex>): Promise<ReadonlyMap<Hex, MethodName>> {
    const wanted = { selectors, topics: new Set<Hex>() };
    const signal = neverAborted();
    const local = this.options.signatures.filter(({ remote }) => remote !== true);
    const found = await Promise.all(local.map((source) => source.candidates(wanted, signal)));
    const candidates = found.flat();
    const names = new Map<Hex, MethodName>();
    for (const selector of selectors) {
      for (const candidate of candidates) {
        const [known] = candidate.functions(selector);
        if (!known || names.has(selector)) continue;
        const guessed = isGuess(candidate.source) ? { isGuessed: true as const } : {};
        names.set(selector, { method: known.name, ...guessed });
      }
    }
    return names;
  }

  async #find(
    network: Network,
    codes: ReadonlyMap<Address, Hex>,
    signal: AbortSignal,
  ): Promise<Map<Address, KnownContract>> {
    const known = new Map<Address, KnownContract>();
    for (const source of this.#acceptingSources(network, this.options.contracts)) {
      const wanted = [...codes].flatMap(([address, code]) =>
        code === '0x' || known.has(address) ? [] : [{ address, code }],
      );
      for (const [address, contract] of await source.find(network, wanted, signal)) {
        known.set(address, contract);
      }
    }
    return known;
  }

  async #creations(initCodes: ReadonlySet<Hex>): Promise<Map<Hex, CreationCode>> {
    const creations = new Map<Hex, CreationCode>();
    for (const initCode of initCodes) {
      const creation = await this.options.findCreation(initCode);
      if (creation) creations.set(initCode, creation);
    }
    return creations;
  }
}

const targetsOf = ({ implementation, facets = [] }: ProxyTargets): readonly Address[] =>
  implementation === undefined ? facets : [implementation, ...facets];

function unknownTo(
  interfaces: Iterable<ContractInterface>,
  wanted: WantedSignatures,
): WantedSignatures {
  const [selectors, topics] = [new Set(wanted.selectors), new Set(wanted.topics)];
  for (const one of new Set(interfaces)) one.deleteKnown(selectors, topics);
  return { selectors, topics };
}
