import type { Address, Hex } from '../../../api/primitives';
import { toWord } from '../../../evm/forms/quantity';
import type { Account } from '../../../evm/interpreter/world';
import { keyOfRead, type StateAnswer, type StateRead } from './state-read';

/** An evaluation needs a read that has not been made. It is made, and the evaluation repeated. */
export class ReadNeeded extends Error {
  override readonly name = 'ReadNeeded';

  constructor(readonly read: StateRead) {
    super(`the ${read.kind} of ${read.address} is not read yet`);
  }
}

/** The state of a chain at a point, as far as it was read. Each member throws `ReadNeeded` for what was not. */
export class ReadState {
  readonly #answers = new Map<string, StateAnswer>();
  readonly #used = new Map<string, StateRead>();

  /** What the evaluations since the last call of `forget` read. */
  get used(): readonly StateRead[] {
    return [...this.#used.values()];
  }

  put(read: StateRead, answer: StateAnswer): void {
    this.#answers.set(keyOfRead(read), answer);
  }

  /** Begins another evaluation on the same state. */
  forget(): void {
    this.#used.clear();
  }

  storage(address: string, slot: bigint): bigint {
    const read = { kind: 'slot', address: address as Address, slot: toWord(slot) } as const;
    return BigInt(this.#answer(read) ?? '0x0');
  }

  account(address: string): Account {
    const answer = (kind: 'balance' | 'code' | 'nonce'): Hex =>
      this.#answer({ kind, address: address as Address }) ?? '0x';
    // Each field is read when it is used.
    return {
      get balance() {
        return BigInt(answer('balance'));
      },
      get nonce() {
        return Number(answer('nonce'));
      },
      get code() {
        return Buffer.from(answer('code').slice(2), 'hex');
      },
    };
  }

  /** @returns what the call returns; undefined where it fails */
  call(address: Address, data: Hex): StateAnswer {
    return this.#answer({ kind: 'call', address, data });
  }

  #answer(read: StateRead): StateAnswer {
    const key = keyOfRead(read);
    if (!this.#answers.has(key)) throw new ReadNeeded(read);
    this.#used.set(key, read);
    return this.#answers.get(key);
  }
}
