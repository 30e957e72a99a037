import { LRUCache } from 'lru-cache';
import { STATE_BLOCK_PARAMETER } from '../../evm/forms/block-parameters';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';

/** Limit for one answer and for its parameters, in characters. Longer ones are rare and would evict many others. */
const MAX_LENGTH = 64 * 1024;

/** Methods that return a string which depends only on the newest block, its state and the engine's settings. */
const METHODS: ReadonlySet<string> = new Set([
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_call',
]);

/** Cache key of a call; undefined if the call is not cached. Reads of `pending` depend on the clock and on the pool. */
function keyOf({ method, params }: RpcCall): string | undefined {
  if (!METHODS.has(method)) return undefined;
  const block = params[STATE_BLOCK_PARAMETER[method] ?? 0];
  if (block !== 'latest') return undefined;
  const key = method + JSON.stringify(params);
  return key.length > MAX_LENGTH ? undefined : key;
}

/**
 * Answers of one engine to reads of the newest state, valid until the next change. No answer is returned or stored while a change is under
 * way or waits for its turn.
 */
export class CachedReads {
  readonly #answers = new LRUCache<string, string>({
    maxSize: LIMITS.keptReads,
    // Both strings may take two bytes for each character.
    sizeCalculation: (answer, key) => 2 * (answer.length + key.length) + 100,
  });
  #changes = 0;
  /** Number of changes so far: an answer read before a change is not stored after it. */
  #era = 0;

  get(call: RpcCall): string | undefined {
    if (this.#changes > 0 || this.#answers.size === 0) return undefined;
    const key = keyOf(call);
    return key === undefined ? undefined : this.#answers.get(key);
  }

  /**
   * Call this before the call is sent to the engine.
   * @returns a function that stores the result; undefined if the result must not be stored
   */
  recorder(call: RpcCall): ((result: unknown) => void) | undefined {
    const key = this.#changes > 0 ? undefined : keyOf(call);
    if (key === undefined) return undefined;
    const era = this.#era;
    return (result) => {
      if (era !== this.#era || typeof result !== 'string' || result.length > MAX_LENGTH) return;
      this.#answers.set(key, result);
    };
  }

  /** Call this when a change starts to wait for its turn. @returns call it when the change has succeeded or failed */
  change(): () => void {
    this.#changes++;
    this.#era++;
    this.#answers.clear();
    return () => {
      this.#changes--;
    };
  }
}
