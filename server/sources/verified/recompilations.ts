import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { SourceOrigin } from '../../api/contract-source';
import type { KnownSource, Recompiled } from '../code-sources';
import type { Compilers } from '../compilers/compilers';
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
    if (reason !== undefined) return { reason, isRunning: false };
    const running = this.#known.get(key) ?? this.#start(key, source, executed);
    if (patienceMs > 0) {
      await Promise.race([running.done, delay(patienceMs, undefined, UNREFERENCED)]);
    }
    const [short = ''] = compilerVersion.split('+');
    const { result } = running;
    return result ?? { reason: `solc ${short} is compiling its verified sources`, isRunning: true };
  }

  #start(key: string, source: VerifiedSource, executed: ExecutedCode): Recompilation {
    const done = this.#recompile(source, executed).then((result) => {
      running.result = result;
      if ('reason' in result && result.isRunning) this.#known.delete(key);
    });
    const running: Recompilation = { result: undefined, done };
    const characters = source.files.reduce((sum, { content }) => sum + content.length, 1);
    this.#known.set(key, running, { size: TREES_PER_TEXT * characters });
    return running;
  }

  /** Never rejects. */
  async #recompile(source: VerifiedSource, executed: ExecutedCode): Promise<Recompiled> {
    try {
      const input = compilerInput(source);
      const compiled = await this.compilers.compile(source.compilerVersion, input);
      if ('reason' in compiled) return { ...compiled, isRunning: compiled.isPassing };
      const found = await recompiledSource(source, compiled.output, executed, this.origin);
      return found ?? { reason: 'its verified sources compile to other code', isRunning: false };
    } catch {
      return { reason: 'its verified sources cannot be given to a compiler', isRunning: false };
    }
  }
}
