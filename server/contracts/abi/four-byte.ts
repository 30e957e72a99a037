import * as z from 'zod';
import type { Hex } from '../../api/primitives';
import { timeoutSignal } from '../../api/timeout-signal';
import { ContractInterface } from '../../analysis/contract-interface';
import { LookupCache, type LookupStore } from './lookup-cache';
import {
  PublicService,
  type ServiceFacts,
  type ServiceOptions,
} from '../../kernel/public-services/public-service';
import type { SignatureSource, WantedSignatures } from './sources';

const DATABASE: ServiceFacts = {
  name: '4byte',
  url: 'https://api.4byte.sourcify.dev',
  timeoutMs: 2_000,
  maxBytes: 1024 * 1024,
};
/** Time limit for all requests of one analysis together, as a multiple of the time limit of one request. */
const ANSWER_TIME_FACTOR = 1.25;
const PER_REQUEST = 50;
const MAX_WANTED = 500;
const MAX_SIGNATURES = 10;
const UNKNOWN_LIFE_MS = 24 * 60 * 60 * 1_000;
const KNOWN_LIFE_MS = 30 * UNKNOWN_LIFE_MS;

/** Accepts only names, types and brackets; anything else is not a signature. */
const signature = z
  .string()
  .max(1_000)
  .regex(/^[\w$]+\([\w$,()[\]]*\)$/);
const found = z.record(z.string(), z.array(z.unknown()).nullable()).default({});
const answerSchema = z.object({
  ok: z.literal(true),
  result: z.object({ function: found, event: found }),
});
const entrySchema = z.object({ name: signature, hasVerifiedContract: z.boolean().default(false) });

type Kind = 'function' | 'event';

/** Sourcify's signature database, which implements OpenChain's API (`GET /signature-database/v1/lookup`). */
export class FourByte implements SignatureSource {
  readonly remote = true;
  readonly #timeoutMs: number;
  readonly #service: PublicService;
  readonly #cache: LookupCache<string[]>;

  /** @param folder of the cache; undefined: only in memory */
  constructor(store: LookupStore | undefined, options: ServiceOptions = {}) {
    this.#timeoutMs = ANSWER_TIME_FACTOR * (options.timeoutMs ?? DATABASE.timeoutMs);
    this.#service = new PublicService(DATABASE, options);
    this.#cache = new LookupCache({ store, schema: z.array(signature), now: options.now });
  }

  async candidates(
    { selectors, topics }: WantedSignatures,
    signal: AbortSignal,
  ): Promise<readonly ContractInterface[]> {
    const deadline = AbortSignal.any([signal, timeoutSignal(this.#timeoutMs)]);
    const [functions, events] = await Promise.all([
      this.#look('function', [...selectors].slice(0, MAX_WANTED), deadline),
      this.#look('event', [...topics].slice(0, MAX_WANTED), deadline),
    ]);
    signal.throwIfAborted();
    const fragments = [
      // The database does not distinguish selectors of functions and errors.
      ...functions.flatMap((text) => [`function ${text}`, `error ${text}`]),
      ...events.flatMap(eventFragments),
    ];
    return fragments.length === 0 ? [] : [ContractInterface.fromAbi(fragments, '4byte')];
  }

  /** Signatures of the hashes. Requests unknown ones in as few requests as possible. */
  async #look(kind: Kind, hashes: readonly Hex[], signal: AbortSignal): Promise<string[]> {
    const known = await Promise.all(hashes.map((hash) => this.#cache.get(`${kind}/${hash}`)));
    const open = hashes.filter((_, index) => known[index] === undefined);
    const chunks: Hex[][] = [];
    for (let start = 0; start < open.length; start += PER_REQUEST) {
      chunks.push(open.slice(start, start + PER_REQUEST));
    }
    const asked = await Promise.all(
      chunks.map((chunk) => this.#ask(kind, chunk, signal).catch(() => [])),
    );
    return [...known.flatMap((one) => one ?? []), ...asked.flat()];
  }

  async #ask(kind: Kind, hashes: readonly Hex[], signal: AbortSignal): Promise<string[]> {
    const answer = await this.#service.get(
      `/signature-database/v1/lookup?${kind}=${hashes.join(',')}`,
      signal,
    );
    const { data } = answerSchema.safeParse(answer?.json);
    if (!data) return [];
    const all: string[] = [];
    for (const hash of hashes) {
      const entries = (data.result[kind][hash] ?? [])
        .flatMap((entry) => entrySchema.safeParse(entry).data ?? [])
        .sort((a, b) => Number(b.hasVerifiedContract) - Number(a.hasVerifiedContract))
        .slice(0, MAX_SIGNATURES)
        .map(({ name }) => name);
      await this.#cache.set(
        `${kind}/${hash}`,
        entries,
        entries.length === 0 ? UNKNOWN_LIFE_MS : KNOWN_LIFE_MS,
      );
      all.push(...entries);
    }
    return all;
  }
}

/** A log has up to four topics; the first is the signature's. */
const MAX_INDEXED = 3;

/**
 * A signature does not reveal which parameters are indexed. By convention the first ones are. The decoder rejects a variant with another
 * number of topics, or whose data does not re-encode to the same bytes.
 */
function eventFragments(text: string): string[] {
  const open = text.indexOf('(');
  const types = topLevelTypes(text.slice(open + 1, -1));
  const most = Math.min(MAX_INDEXED, types.length);
  return Array.from({ length: most + 1 }, (_, indexed) => {
    const params = types.map((type, index) => (index < indexed ? `${type} indexed` : type));
    return `event ${text.slice(0, open)}(${params.join(', ')})`;
  });
}

/** `uint256,(address,bool)[]` -> `uint256` and `(address,bool)[]` */
function topLevelTypes(list: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    const char = list[at];
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if ((char === ',' && depth === 0) || char === undefined) {
      if (at > start) types.push(list.slice(start, at));
      start = at + 1;
    }
  }
  return types;
}
