import { LRUCache } from 'lru-cache';
import type { Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { StateOverrides } from '../../api/simulate';
import type { Address, Hash } from '../../api/primitives';
import { RpcError } from '../../ethereum/json-rpc';
import { toQuantity, toWord } from '../../ethereum/quantity';
import type { RpcBlockHeader } from '../../ethereum/types';
import { SYSTEM_CONTRACTS } from '../../rules/system-contracts';
import type { Assumed, OtherStorage } from '../values/state';

/** Where the state is that an execution finds. */
export interface StatePoint {
  readonly network: Network;
  readonly block: Pick<RpcBlockHeader, 'number'>;
  /** Transactions of the block before it. */
  readonly position: number;
  /** Whether all of the block's transactions are before it. */
  readonly isAfterBlock?: boolean;
  /** Of a simulation. */
  readonly overrides?: StateOverrides;
  /** Why no other state than that of the recording can be read. */
  readonly unavailable?: string;
}

interface Slot {
  readonly address: string;
  readonly slot: bigint;
}

/** Slots lead to one another: a list's length, an element, the length of its text, the text. */
const ROUNDS = 6;
const KEPT = 20_000;
const TIMEOUT_MS = 10_000;
const SAME_AROUND = 'the same before and after the block';
const AFTER_FIRST = 'as after block 0';
const keyOf = ({ address, slot }: Slot): string => `${address} ${slot.toString(16)}`;

/**
 * Values of slots that a transaction does not touch, read from the chain. A transaction inside a block finds a state that nodes do not
 * offer: a slot that is the same before and after the block has an assumed value.
 */
export class UntouchedSlots {
  readonly #known = new LRUCache<string, bigint | Assumed>({ max: KEPT });
  /** Reasons by slot. */
  readonly #unknown = new LRUCache<string, string>({ max: KEPT });
  readonly #wanted = new Map<string, Slot>();

  constructor(private readonly point: StatePoint) {}

  /** Notes slots that are not known yet. @returns the value; why it is not known; undefined: it is not read */
  readonly storage: OtherStorage = (address, slot) => {
    const { overrides = {}, unavailable } = this.point;
    const { state, stateDiff } = overrides[address as Address] ?? {};
    const word = toWord(slot);
    const overridden = stateDiff?.[word] ?? (state && (state[word] ?? '0x0'));
    if (overridden !== undefined) return BigInt(overridden);
    const key = keyOf({ address, slot });
    const found = this.#known.get(key) ?? this.#unknown.get(key) ?? unavailable;
    if (found === undefined) this.#wanted.set(key, { address, slot });
    return found;
  };

  /**
   * Reads values, and again after slots that they need were loaded.
   * @throws what `read` throws at last; the signal's reason
   */
  async reading<T>(read: () => T, signal: AbortSignal): Promise<T> {
    let left: number = LIMITS.untouchedSlots;
    const failed = new Map<string, string>();
    for (let round = 0; ; round++) {
      this.#wanted.clear();
      for (const [key, reason] of failed) this.#unknown.set(key, reason);
      const outcome = outcomeOf(read);
      const wanted = [...this.#wanted.values()].slice(0, left);
      for (const key of failed.keys()) this.#unknown.delete(key);
      if (wanted.length === 0 || round === ROUNDS) return outcome();
      left -= wanted.length;
      for (const [key, reason] of await this.#load(wanted, signal)) failed.set(key, reason);
    }
  }

  /** @returns why slots cannot be read at this time, by slot */
  async #load(slots: readonly Slot[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { network } = this.point;
    const failed = new Map<string, string>();
    const points = slots.map(({ address }) => this.#pointOf(address));
    const calls = slots.flatMap(({ address, slot }, index) =>
      (points[index]?.blocks ?? []).map((block) => ({
        method: 'eth_getStorageAt',
        params: [address, toWord(slot), toQuantity(block)],
      })),
    );
    const answers = await network.rpc
      .requestAll(calls, { signal, timeoutMs: TIMEOUT_MS })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        return calls.map(() => ({ status: 'rejected' as const, reason: error }));
      });
    let first = 0;
    for (const [index, slot] of slots.entries()) {
      const { blocks = [], assumption } = points[index] ?? {};
      const value = sameWord(answers.slice(first, (first += blocks.length)));
      if (typeof value === 'bigint')
        this.#known.set(keyOf(slot), assumption === undefined ? value : { value, assumption });
      else if (value.isLasting) this.#unknown.set(keyOf(slot), value.reason);
      else failed.set(keyOf(slot), value.reason);
    }
    return failed;
  }

  /** Blocks after which the state has to be the same, and the assumption if that does not prove it. */
  #pointOf(address: string): { blocks: readonly bigint[]; assumption?: string } {
    const { network, position, block, isAfterBlock = false } = this.point;
    const number = BigInt(block.number);
    // The state of a fork may be changed between its blocks.
    const isSettled = network.replayable;
    if (number === 0n) return { blocks: [0n], ...(!isSettled && { assumption: AFTER_FIRST }) };
    if (isSettled && isAfterBlock) return { blocks: [number] };
    if (isSettled && position === 0 && !SYSTEM_CONTRACTS.includes(address)) {
      return { blocks: [number - 1n] };
    }
    return { blocks: [number - 1n, number], assumption: SAME_AROUND };
  }
}

function sameWord(
  answers: readonly PromiseSettledResult<unknown>[],
): bigint | { reason: string; isLasting: boolean } {
  const words: bigint[] = [];
  for (const answer of answers) {
    const failure = failureOf(answer);
    if (failure !== undefined) {
      return { reason: `the slot cannot be read from the node: ${failure}`, isLasting: false };
    }
    if (answer.status === 'fulfilled') words.push(BigInt(answer.value as Hash));
  }
  const [first = 0n, ...others] = words;
  if (others.every((word) => word === first)) return first;
  return {
    reason:
      'the block changes the slot outside of this transaction, and its value between is not known',
    isLasting: true,
  };
}

function failureOf(answer: PromiseSettledResult<unknown>): string | undefined {
  if (answer.status === 'fulfilled') {
    const isWord = typeof answer.value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answer.value);
    return isWord ? undefined : 'the answer is no word';
  }
  const { reason } = answer as { reason: unknown };
  return reason instanceof RpcError || reason instanceof ApiError ? reason.message : 'no answer';
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
