import { keccak256 } from 'ethers';
import { LRUCache } from 'lru-cache';
import { CodeTemplate, type CodeMatch } from '../../abi/code-template';
import { LookupCache, type LookupStore } from '../../abi/lookup-cache';
import type { Network } from '../../../analysis/ports';
import type { KnownSource, SourceFinder } from '../code-sources';
import type { MappedCode } from '../compilation';
import { CompiledContract } from '../compiled-contract';
import type { ExecutedCode } from '../program-source';
import { givenInput } from './recompiled-source';
import { Recompilations, type SourceCompilers } from './recompilations';
import {
  verifiedSourceSchema,
  type SourceService,
  type VerifiedCode,
  type VerifiedSource,
} from './verified-source';

export interface VerifiedSourcesOptions {
  service: SourceService;
  /** Undefined: only in memory. */
  store: LookupStore | undefined;
  /** Undefined: sources are not compiled. */
  compilers?: SourceCompilers | undefined;
  now?: (() => number) | undefined;
}

/** Short, since a contract may be verified at any time. */
const UNVERIFIED_LIFE_MS = 60 * 60 * 1_000;
/** Minimum length of code in characters. Delegating accounts and minimal proxies have no source of their own. */
const LEAST_CODE = 2 + 100 * 2;
/** Answers in memory, apart from the opened sources. */
const IN_MEMORY = 8;
/** Limit of the opened sources, in characters of all files. */
const OPENED_CHARACTERS = 64 * 1024 * 1024;
const ZERO_ADDRESS = /^0x0+$/;
const HASHES = 200;
/** Time after a failed look-up without another one, in milliseconds. */
const AFTER_FAILURE_MS = 5_000;

/**
 * Sources of verified contracts, matched to the code that runs. Verified results never expire; they are kept by chain, address and code.
 */
export class VerifiedSources implements SourceFinder {
  readonly remote = true;
  readonly #cache: LookupCache<VerifiedSource | null>;
  readonly #opened = new LRUCache<string, KnownSource>({
    maxSize: OPENED_CHARACTERS,
    sizeCalculation: sizeOf,
  });
  readonly #recompilations: Recompilations | undefined;
  readonly #hashes = new LRUCache<string, string>({ max: HASHES });
  readonly #failed = new LRUCache<string, true>({ max: HASHES, ttl: AFTER_FAILURE_MS });

  constructor(private readonly options: VerifiedSourcesOptions) {
    const { store, now, compilers, service } = options;
    const schema = verifiedSourceSchema.nullable();
    this.#cache = new LookupCache({ store, schema, now, inMemory: IN_MEMORY });
    this.#recompilations = compilers && new Recompilations(compilers, service.name);
  }

  async find(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<KnownSource | undefined> {
    const { address, code } = executed;
    if (code.length < LEAST_CODE || ZERO_ADDRESS.test(address)) return undefined;
    const service = this.options.service.name;
    const key = `${service}/${network.chainId}/${address}-${this.#hashOf(code)}`;
    const opened = this.#opened.get(key);
    if (opened) return opened;
    if (this.#failed.has(key)) return undefined;
    const found = await this.#look(network, executed, key, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (found) this.#opened.set(key, found);
    return found;
  }

  async #look(
    network: Network,
    executed: ExecutedCode,
    key: string,
    signal: AbortSignal,
  ): Promise<KnownSource | undefined> {
    const { name } = this.options.service;
    const source = await this.#sourceAt(network, executed, key, signal);
    if (!source) return undefined;
    const match = matchOf(source, executed);
    if (!match) return undefined;
    const contract = await CompiledContract.open({
      ...source,
      origin: name,
      // Only code that was compared proves that a map is of the code that runs.
      deployed: match === 'unchecked' ? undefined : mapped(source.deployed),
      creation: match === 'unchecked' ? undefined : mapped(source.creation),
      ...(source.language === 'Solidity' && { input: () => Promise.resolve(givenInput(source)) }),
    });
    const recompiled = this.#recompilations?.of(key, source, executed);
    return { contract, match, identity: contract.fingerprint, recompiled };
  }

  /** Of code that is the same text, at no cost. */
  #hashOf(code: string): string {
    const hash = this.#hashes.get(code) ?? keccak256(code).slice(2, 18);
    this.#hashes.set(code, hash);
    return hash;
  }

  async #sourceAt(
    network: Network,
    { address }: ExecutedCode,
    key: string,
    signal: AbortSignal,
  ): Promise<VerifiedSource | null | undefined> {
    const cached = await this.#cache.get(key);
    if (cached !== undefined) return cached;
    const source = await this.options.service.find(network, address, signal);
    if (source === undefined) this.#failed.set(key, true);
    else {
      await this.#cache.set(key, source, source === null ? UNVERIFIED_LIFE_MS : undefined);
    }
    return source;
  }
}

/** Undefined if the code is not of this source. */
function matchOf(
  { deployed, creation }: VerifiedSource,
  { code, isCreation }: ExecutedCode,
): CodeMatch | 'unchecked' | undefined {
  const compiled = isCreation ? creation : deployed;
  if (!compiled) return (deployed ?? creation) ? undefined : 'unchecked';
  const template = new CodeTemplate(compiled.object, compiled.masks, compiled.metadata);
  return template.compare(code, isCreation);
}

const mapped = (code: VerifiedCode | undefined): MappedCode | undefined =>
  code && { object: code.object, sourceMap: code.sourceMap };

const sizeOf = ({ contract }: KnownSource): number =>
  contract.compilation.files.reduce((sum, { content }) => sum + (content?.length ?? 0), 1);
