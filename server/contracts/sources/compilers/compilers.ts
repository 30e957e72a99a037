import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { LookupCache, type LookupStore } from '../../abi/lookup-cache';
import { LIMITS } from '../../../api/limits';
import { visibleText } from '../../../api/visible-text';
import { compileInProcess, type Launch } from './compile-in-process';
import type { InstalledCompilers } from './installed-compilers';
import { solcAnswerSchema, type Retry, type SolcAnswer, type SolcOutput } from './solc-job';

export interface CompilersOptions {
  readonly installed: Pick<InstalledCompilers, 'find'>;
  /** Outputs, and failures that stay. Undefined: only in memory. */
  readonly store: LookupStore | undefined;
  readonly launch: Launch;
  /** The folder in which a missing compiler should be installed, as it is shown. */
  readonly folder: string;
  /** Of the processor. */
  readonly timeMs?: number;
  /** Of the clock. */
  readonly waitMs?: number;
  /** Time after a passing failure without another attempt. */
  readonly retryMs?: number;
}

/** What the compiler gave, or a clause that says why there is nothing. */
export type Compiled =
  | { readonly output: SolcOutput }
  | {
      readonly reason: string;
      readonly retry: Retry;
    };

/** Outputs are large, and their readers keep what they need. */
const IN_MEMORY = 2;
const KEPT_FAILURES = 1_000;
const MAX_REASON = 300;
/** Time after a failure that passes, in milliseconds. */
export const RETRY_MS = 20_000;

/** Compilers of Solidity that the user installed from npm. One runs at a time. */
export class Compilers {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #cache: LookupCache<SolcAnswer>;
  readonly #running = new Map<string, Promise<Compiled>>();
  /** Not on disk: a later attempt may succeed. */
  readonly #failures = new LRUCache<string, SolcAnswer>({ max: KEPT_FAILURES });
  readonly #stopped = new AbortController();

  constructor(private readonly options: CompilersOptions) {
    const { store } = options;
    this.#cache = new LookupCache({ store, schema: solcAnswerSchema, inMemory: IN_MEMORY });
  }

  /**
   * Why sources cannot be compiled now; undefined if they can. Costs little.
   * @param version such as `0.8.30+commit.73712a01`
   */
  async whyNot(version: string): Promise<string | undefined> {
    const [short = '', commit] = version.split('+');
    if (!/^\d+\.\d+\.\d+$/.test(short) || commit === undefined) {
      return 'the version of its compiler is not known exactly';
    }
    if (await this.options.installed.find(short)) return undefined;
    return `solc ${short} is not installed: run npm install --prefix ${this.options.folder} solc-${short}@npm:solc@${short}`;
  }

  /**
   * Compiles once: later calls have the same answer. Never rejects.
   * @param version as of `whyNot`, which found nothing
   * @param input standard input of the compiler
   */
  compile(version: string, input: string): Promise<Compiled> {
    const key = `compiled/${createHash('sha256').update(`${version}\n${input}`).digest('hex')}`;
    const running = this.#running.get(key);
    if (running) return running;
    if (this.#running.size >= LIMITS.waitingCompilations) {
      const reason = `${LIMITS.waitingCompilations} other verified sources wait to be compiled: ask again later`;
      return Promise.resolve({ reason, retry: 'soon' });
    }
    const compiling = this.#compile(key, version, input).finally(() => this.#running.delete(key));
    this.#running.set(key, compiling);
    return compiling;
  }

  /** Ends the running compiler. */
  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#queue.onIdle();
  }

  async #compile(key: string, version: string, input: string): Promise<Compiled> {
    const [short = ''] = version.split('+');
    const answer = (await this.#cache.get(key)) ?? (await this.#run(key, version, input));
    if ('output' in answer) return answer;
    const { failure, retry } = answer;
    return { reason: `solc ${short} ${firstLines(failure)}`, retry };
  }

  async #run(key: string, version: string, input: string): Promise<SolcAnswer> {
    const failed = this.#failures.get(key);
    if (failed) return failed;
    const { launch, installed, retryMs = RETRY_MS } = this.options;
    const { timeMs = LIMITS.compilerTime, waitMs = LIMITS.compilerWait } = this.options;
    const { signal } = this.#stopped;
    const answer = await this.#queue.add(async (): Promise<SolcAnswer> => {
      const found = await installed.find(version.split('+', 1)[0] ?? '');
      if (!found || signal.aborted) return { failure: 'is no longer there', retry: 'soon' };
      const job = { soljson: found.soljson, version, input };
      return compileInProcess(job, { launch, timeMs, waitMs, signal });
    });
    if ('output' in answer || answer.retry === 'never') await this.#cache.set(key, answer);
    else this.#failures.set(key, answer, answer.retry === 'soon' ? { ttl: retryMs } : {});
    return answer;
  }
}

/** Messages of compilers have several lines, and contain what others wrote. */
const firstLines = (text: string): string =>
  visibleText(text.split('\n').slice(0, 2).join(' ')).slice(0, MAX_REASON).trim();
