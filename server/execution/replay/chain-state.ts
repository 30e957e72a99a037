import type { StateOverride } from '../../analysis/execution-state';
import type { Address, Hash, Hex } from '../../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { containsOpcode } from '../prefix/opcodes';
import type { StateDiff } from '../../evm/forms/prestate-diff';

/** Accounts, and slots of their storage. */
export type Access = ReadonlyMap<Address, ReadonlySet<Hash>>;

interface Account {
  readonly balance: Hex;
  readonly nonce: Hex;
  readonly code: Hex;
}

interface Changes extends Partial<Account> {
  readonly slots: Map<Hash, Hex>;
}

/** The loaded part of a chain's state after a block, with later changes by transactions. */
export class ChainState {
  readonly #accounts = new Map<Address, Account>();
  readonly #slots = new Map<Address, Map<Hash, Hex>>();
  #changes = new Map<Address, Changes>();
  readonly #block: Hex;

  /** @param number number of the block */
  constructor(
    private readonly rpc: RpcClient,
    number: number,
  ) {
    this.#block = toQuantity(number);
  }

  /** Replaces the chain's value. */
  preset(address: Address, slot: Hash, value: Hex): void {
    this.#slotsOf(address).set(slot, value);
  }

  /** Requests all missing state from the chain in one batch. */
  async load(access: Access, signal: AbortSignal): Promise<void> {
    const calls: RpcCall[] = [];
    const waitingReads: ((answers: readonly Hex[]) => void)[] = [];
    for (const [address, wanted] of access) {
      if (!this.#accounts.has(address)) {
        const from = calls.length;
        for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']) {
          calls.push({ method, params: [address, this.#block] });
        }
        waitingReads.push((answers) => {
          const [balance = '0x0', nonce = '0x0', code = '0x'] = answers.slice(from, from + 3);
          this.#accounts.set(address, { balance, nonce, code });
        });
      }
      const known = this.#slotsOf(address);
      for (const slot of wanted) {
        if (known.has(slot)) continue;
        const at = calls.length;
        calls.push({ method: 'eth_getStorageAt', params: [address, slot, this.#block] });
        waitingReads.push((answers) => known.set(slot, toWord(BigInt(answers[at] ?? '0x0'))));
      }
    }
    const answers = (await requestEach(this.rpc, calls, { signal })) as Hex[];
    for (const take of waitingReads) take(answers);
  }

  /** Loaded and changed values of accounts and slots. Accounts that do not exist are left out. */
  overrides(access: Access): StateOverride {
    const result: StateOverride = {};
    for (const [address, wanted] of access) {
      const account = this.#accounts.get(address);
      const changes = this.#changes.get(address);
      const { balance = '0x0', nonce = '0x0', code = '0x' } = { ...account, ...changes };
      const stateDiff: Record<Hash, Hash> = {};
      for (const slot of wanted) {
        const value = changes?.slots.get(slot) ?? this.#slots.get(address)?.get(slot);
        if (value !== undefined && BigInt(value) !== 0n) stateDiff[slot] = value;
      }
      const hasSlots = Object.keys(stateDiff).length > 0;
      if (!hasSlots && code === '0x' && BigInt(balance) === 0n && BigInt(nonce) === 0n) continue;
      result[address] = {
        balance,
        nonce,
        ...(code === '0x' ? {} : { code }),
        ...(hasSlots ? { stateDiff } : {}),
      };
    }
    return result;
  }

  /** The same in the form of `prestateTracer`. */
  prestate(access: Access): object {
    const accounts = Object.entries(this.overrides(access)).map(
      ([address, { stateDiff: storage, ...account }]) =>
        [address, { ...account, storage }] as const,
    );
    return Object.fromEntries(accounts);
  }

  /** Whether code of one of the accounts contains the opcode. */
  anyContains(access: Access, opcode: number): boolean {
    return [...access.keys()].some((address) => {
      const code = this.#changes.get(address)?.code ?? this.#accounts.get(address)?.code ?? '0x';
      return code !== '0x' && containsOpcode(code, opcode);
    });
  }

  /**
   * Applies the changes of a transaction.
   * @param commons the account that all transactions pay: only the difference of its balance counts
   * @returns false if the diff is incomplete because an account was destroyed
   */
  change({ pre, post }: StateDiff, commons: Address): boolean {
    // Entries in `pre` only are gone: a slot that became zero, or an account that was destroyed.
    for (const [address, { storage = {} }] of entries(pre)) {
      const after = post[address];
      if (after === undefined) return false;
      for (const slot of Object.keys(storage) as Hash[]) {
        if (after.storage?.[slot] === undefined) this.#changesOf(address).slots.set(slot, ZERO);
      }
    }
    for (const [address, after] of entries(post)) {
      const changes = this.#changesOf(address);
      if (after.balance !== undefined) {
        changes.balance =
          address === commons
            ? this.#increased(address, BigInt(after.balance) - BigInt(pre[address]?.balance ?? 0))
            : after.balance;
      }
      if (after.nonce !== undefined) changes.nonce = toQuantity(after.nonce);
      if (after.code !== undefined) changes.code = after.code;
      for (const [slot, value] of Object.entries(after.storage ?? {})) {
        changes.slots.set(slot as Hash, toWord(BigInt(value)));
      }
    }
    return true;
  }

  /** Whether a transaction changed a part of the given state. */
  hasChanged(access: Access, commons: Address): boolean {
    for (const [address, slots] of access) {
      const changes = this.#changes.get(address);
      if (!changes) continue;
      const { balance, nonce, code } = changes;
      if (nonce !== undefined || code !== undefined) return true;
      if (balance !== undefined && address !== commons) return true;
      for (const slot of slots) if (changes.slots.has(slot)) return true;
    }
    return false;
  }

  /** Discards the changes since the block. */
  reset(): void {
    this.#changes = new Map();
  }

  #increased(address: Address, by: bigint): Hex {
    const before = this.#changes.get(address)?.balance ?? this.#accounts.get(address)?.balance;
    return toQuantity(BigInt(before ?? '0x0') + by);
  }

  #slotsOf(address: Address): Map<Hash, Hex> {
    const known = this.#slots.get(address);
    if (known) return known;
    const slots = new Map<Hash, Hex>();
    this.#slots.set(address, slots);
    return slots;
  }

  #changesOf(address: Address): { -readonly [Key in keyof Changes]: Changes[Key] } {
    const known = this.#changes.get(address);
    if (known) return known;
    const changes: Changes = { slots: new Map() };
    this.#changes.set(address, changes);
    return changes;
  }
}

const ZERO = toWord(0);
const entries = <T>(record: Record<Address, T>): [Address, T][] =>
  Object.entries(record) as [Address, T][];
