import type { Hardfork } from '../../api/config';
import { isCelo } from '../../evm/families/celo/celo';
import { abortable } from '../../kernel/async/abortable';
import type { Engine, StartEngine } from '../../evm/forms/engine';

interface WarmEngine {
  readonly kind: string;
  readonly engine: Promise<Engine>;
  borrowers: number;
  idle?: NodeJS.Timeout;
}

export interface WarmEnginesOptions {
  /** How long an unused engine is kept, in milliseconds. */
  idleMs?: number;
}

/**
 * Engines without a chain of their own, for calls that include their state. Calls do not change them, so engines of the same kind are
 * shared.
 */
export class WarmEngines {
  readonly #engines = new Map<string, WarmEngine>();
  readonly #idleMs: number;

  constructor(
    private readonly start: StartEngine,
    { idleMs = 5 * 60_000 }: WarmEnginesOptions = {},
  ) {
    this.#idleMs = idleMs;
  }

  /**
   * Provides an engine, which is started if there is none.
   * @throws ApiError `engineUnavailable`; the signal's reason; errors of `work`
   */
  async lend<T>(
    kind: { chainId: number; hardfork: Hardfork },
    signal: AbortSignal,
    work: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    const warm = this.#of(kind);
    clearTimeout(warm.idle);
    warm.borrowers++;
    try {
      return await work(await abortable(warm.engine, signal));
    } finally {
      warm.borrowers--;
      if (warm.borrowers === 0) {
        // What was cancelled is still under way in the engine.
        if (signal.aborted) void this.#end(warm);
        else warm.idle = setTimeout(() => void this.#end(warm), this.#idleMs).unref();
      }
    }
  }

  /** Ends all engines. */
  async close(): Promise<void> {
    await Promise.all([...this.#engines.values()].map((warm) => this.#end(warm)));
  }

  #of(kind: { chainId: number; hardfork: Hardfork }): WarmEngine {
    const key = `${kind.chainId} ${kind.hardfork}`;
    const known = this.#engines.get(key);
    if (known) return known;
    const warm: WarmEngine = {
      kind: key,
      engine: this.start({ ...kind, isCelo: isCelo(kind.chainId) }),
      borrowers: 0,
    };
    const forget = (): void => {
      this.#forget(warm);
    };
    warm.engine.then(({ exited }) => exited.then(forget), forget);
    this.#engines.set(key, warm);
    return warm;
  }

  /** The next borrower gets another engine. */
  #forget(warm: WarmEngine): void {
    if (this.#engines.get(warm.kind) === warm) this.#engines.delete(warm.kind);
  }

  async #end(warm: WarmEngine): Promise<void> {
    clearTimeout(warm.idle);
    this.#forget(warm);
    await warm.engine.then(
      (engine) => engine.stop(),
      () => undefined, // the engine did not start
    );
  }
}
