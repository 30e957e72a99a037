import { LRUCache } from 'lru-cache';
import { STATE_BLOCK_PARAMETER } from '../ethereum/block-parameters';
import type { RpcCall } from '../ethereum/json-rpc';
import { LIMITS } from '../limits';

/** Of one answer with its parameters, in characters: longer ones are rare, and would drive out many. */
const MAX_LENGTH = 64 * 1024;

/** Their results are texts, and depend on nothing but the newest block, its state and the engine's settings. */
const METHODS: ReadonlySet<string> = new Set([
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_call',
]);

/** Under which name a call is kept; undefined where it is not. What reads `pending` depends on the clock and on the pool. */
function keyOf({ method, params }: RpcCall): string | undefined {
  if (!METHODS.has(method)) return undefined;
  const block = params[STATE_BLOCK_PARAMETER[method] ?? 0];
  if (block !== 'latest') return undefined;
  const key = method + JSON.stringify(params);
  return key.length > MAX_LENGTH ? undefined : key;
}

/**
 * Answers of one engine to reads of the newest state, which hold until the next change. None is given out, or kept, while a change is under
 * way or waits for its turn.
 */
export class KeptReads {
  readonly #answers = new LRUCache<string, string>({
    maxSize: LIMITS.keptReads,
    // Both may be stored with two bytes for each character.
    sizeCalculation: (answer, key) => 2 * (answer.length + key.length) + 100,
  });
  #changes = 0;
  /** Counts the changes: what was read before one is not kept after it. */
  #era = 0;

  get(call: RpcCall): string | undefined {
    if (this.#changes > 0 || this.#answers.size === 0) return undefined;
    const key = keyOf(call);
    return key === undefined ? undefined : this.#answers.get(key);
  }

  /**
   * To be called when the engine is about to be asked.
   * @returns a function that stores the result; undefined if the result must not be stored
   */
  keeper(call: RpcCall): ((result: unknown) => void) | undefined {
    const key = this.#changes > 0 ? undefined : keyOf(call);
    if (key === undefined) return undefined;
    const era = this.#era;
    return (result) => {
      if (era !== this.#era || typeof result !== 'string' || result.length > MAX_LENGTH) return;
      this.#answers.set(key, result);
    };
  }

  /** A change waits for its turn. @returns to be called when it is over, whatever became of it */
  change(): () => void {
    this.#changes++;
    this.#era++;
    this.#answers.clear();
    return () => {
      this.#changes--;
    };
  }
}
