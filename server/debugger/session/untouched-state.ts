import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../api/limits';
import type { Address } from '../../api/primitives';
import { toWord } from '../../evm/forms/quantity';
import type { Account } from '../../evm/interpreter/world';
import type { Assumed, OtherAccount, OtherStorage } from '../languages/port/other-state';
import { readItems, type Item, type StatePoint } from './state-point';

/** Parts of the state lead to one another: a list's length, an element, the length of its text, the text. */
const ROUNDS = 6;
/** A number of entries as `max` would take their memory at once, for each recording. */
const atMost = (maxSize: number) => ({ maxSize, sizeCalculation: () => 1 });
const KEPT_SLOTS = atMost(20_000);
const KEPT_ACCOUNTS = atMost(200);
/** Slots that an account counts for: its code may be long. */
const SLOTS_PER_ACCOUNT = 16;
const costOf = ({ slot }: Item): number => (slot === undefined ? SLOTS_PER_ACCOUNT : 1);
const keyOf = ({ address, slot }: Item): string => `${address} ${slot?.toString(16) ?? ''}`;

/**
 * Slots and accounts that a transaction does not touch, read from the chain. A transaction inside a block finds a state that nodes do not
 * offer: what is the same before and after the block is assumed.
 */
export class UntouchedState {
  readonly #slots = new LRUCache<string, bigint | Assumed>(KEPT_SLOTS);
  readonly #accounts = new LRUCache<string, Account | Assumed<Account>>(KEPT_ACCOUNTS);
  /** Reasons by slot or account. */
  readonly #unknown = new LRUCache<string, string>(KEPT_SLOTS);
  readonly #wanted = new Map<string, Item>();
  #end: string | undefined;

  constructor(private readonly point: StatePoint) {}

  /** Notes slots that are not known yet. @returns the value; why it is not known; undefined: it is not read */
  readonly storage: OtherStorage = (address, slot) => {
    const { state, stateDiff } = this.point.overrides?.[address as Address] ?? {};
    const word = toWord(slot);
    const overridden = stateDiff?.[word] ?? (state && (state[word] ?? '0x0'));
    if (overridden !== undefined) return BigInt(overridden);
    return this.#known(this.#slots, { address, slot });
  };

  /** As `storage`. */
  readonly account: OtherAccount = (address) => this.#known(this.#accounts, { address });

  /** Reads no more from the chain, whose state is another one. @param reason part of a sentence */
  end(reason: string): void {
    this.#end = reason;
  }

  #known<T extends object | bigint>(kept: LRUCache<string, T>, item: Item): T | string | undefined {
    const key = keyOf(item);
    const found = kept.get(key) ?? this.#unknown.get(key) ?? this.#end ?? this.point.unavailable;
    if (found === undefined) this.#wanted.set(key, item);
    return found;
  }

  /**
   * Reads values, and again after the state that they need was loaded.
   * @throws what `read` throws at last; the signal's reason
   */
  async reading<T>(read: () => T, signal: AbortSignal): Promise<T> {
    let left: number = LIMITS.untouchedSlots;
    const failed = new Map<string, string>();
    for (let round = 0; ; round++) {
      this.#wanted.clear();
      for (const [key, reason] of failed) this.#unknown.set(key, reason);
      const outcome = outcomeOf(read);
      const wanted: Item[] = [];
      for (const item of this.#wanted.values()) {
        if (left < costOf(item)) break;
        left -= costOf(item);
        wanted.push(item);
      }
      for (const key of failed.keys()) this.#unknown.delete(key);
      if (wanted.length === 0 || round === ROUNDS) return outcome();
      for (const [key, reason] of await this.#load(wanted, signal)) failed.set(key, reason);
    }
  }

  /** @returns why parts cannot be read at this time */
  async #load(items: readonly Item[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const failed = new Map<string, string>();
    const found = await readItems(this.point, items, signal);
    for (const [index, item] of items.entries()) {
      const key = keyOf(item);
      const result = found[index];
      if (!result) continue;
      if (result.kind === 'slot') this.#slots.set(key, result.value);
      else if (result.kind === 'account') this.#accounts.set(key, result.value);
      else if (result.isLasting) this.#unknown.set(key, result.reason);
      else failed.set(key, result.reason);
    }
    return failed;
  }
}

/** Runs it now. @returns gives its result, or throws its error */
function outcomeOf<T>(read: () => T): () => T {
  try {
    const result = read();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
