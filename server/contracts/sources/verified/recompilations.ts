import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { SourceOrigin } from '../../../api/contract-source';
import type { KnownSource, Recompiled } from '../code-sources';
import { RETRY_MS, type Compilers } from '../compilers/compilers';
import type { Retry } from '../compilers/solc-job';
import type { ExecutedCode } from '../program-source';
import { compilerInput, recompiledSource, whyNoInput } from './recompiled-source';
import type { VerifiedSource } from './verified-source';

export type SourceCompilers = Pick<Compilers, 'whyNot' | 'compile'>;

interface Recompilation {
  readonly done: Promise<void>;
  result: Recompiled | undefined;
}

/** Characters of syntax trees for one of a source, estimated. */
const TREES_PER_TEXT = 20;
/** Limit of what is kept, in these characters. */
const KEPT_CHARACTERS = 512 * 1024 * 1024;
const UNREFERENCED = { ref: false };

/** What installed compilers make of verified sources. */
export class Recompilations {
  readonly #known = new LRUCache<string, Recompilation>({ maxSize: KEPT_CHARACTERS });

  constructor(
    private readonly compilers: SourceCompilers,
    private readonly origin: SourceOrigin,
  ) {}

  /**
   * @param key of the source and the code that runs
   * @returns undefined for other languages than Solidity
   */
  of(key: string, source: VerifiedSource, executed: ExecutedCode): KnownSource['recompiled'] {
    if (source.language !== 'Solidity') return undefined;
    return (patienceMs) => this.#wait(key, source, executed, patienceMs);
  }

  /** Compiles a source once, and waits for it for a time. */
  async #wait(
    key: string,
    source: VerifiedSource,
    executed: ExecutedCode,
    patienceMs: number,
  ): Promise<Recompiled> {
    const { compilerVersion } = source;
    const known = this.#known.get(key)?.result;
    if (known) return known;
    const reason = whyNoInput(source) ?? (await this.compilers.whyNot(compilerVersion));
    if (reason !== undefined) return failure(reason);
    const running = this.#known.get(key) ?? this.#start(key, source, executed);
    if (patienceMs > 0) {
      await Promise.race([running.done, delay(patienceMs, undefined, UNREFERENCED)]);
    }
    const [short = ''] = compilerVersion.split('+');
    const { result } = running;
    return result ?? { reason: `solc ${short} is compiling its verified sources`, isRunning: true };
  }

  #start(key: string, source: VerifiedSource, executed: ExecutedCode): Recompilation {
    const characters = source.files.reduce((sum, { content }) => sum + content.length, 1);
    const size = TREES_PER_TEXT * characters;
    const done = this.#recompile(source, executed).then(({ result, retry }) => {
      running.result = result;
      if (retry === 'soon') this.#known.set(key, running, { size, ttl: RETRY_MS });
    });
    const running: Recompilation = { result: undefined, done };
    this.#known.set(key, running, { size });
    return running;
  }

  /** Never rejects. */
  async #recompile(
    source: VerifiedSource,
    executed: ExecutedCode,
  ): Promise<{ result: Recompiled; retry?: Retry }> {
    try {
      const input = compilerInput(source);
      const compiled = await this.compilers.compile(source.compilerVersion, input);
      if ('reason' in compiled) {
        const { reason, retry } = compiled;
        return { result: failure(reason), retry };
      }
      const found = await recompiledSource(source, compiled.output, executed, this.origin);
      return { result: found ?? failure('its verified sources compile to other code') };
    } catch {
      return { result: failure('its verified sources cannot be given to a compiler') };
    }
  }
}

const failure = (reason: string): Recompiled => ({ reason, isRunning: false });
