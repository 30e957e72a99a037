import {
  bytesToHex,
  createAccount,
  type Account,
  type Address as AddressObject,
} from '@ethereumjs/util';
import type { StateManagerInterface } from '@ethereumjs/common';
import type { Address, Hash } from '../../api/primitives';
import { toWord } from '../../evm/forms/quantity';
import type { EngineState } from '../../evm/forms/engine-state';
import type { DiffAccount, StateDiff } from '../../evm/forms/prestate-diff';
import {
  addChanges,
  described,
  engineAccount,
  hashOf,
  imageOf,
  isSameAccount,
  NO_CODE,
  type Before,
  type Image,
} from './account-image';
import type { ParentState } from './parent-state';

/** What an account's storage holds, over that of the parent. */
interface Storage {
  /** Whether the parent's slots count no longer. */
  readonly isCleared: boolean;
  readonly slots: Map<Hash, bigint>;
}

/**
 * The state during the execution of a block: the parent's, with the changes of the transactions so far. It can be rolled back to each
 * checkpoint, and reports what each transaction touched and changed.
 */
export class BlockState implements StateManagerInterface {
  readonly #accounts = new Map<Address, Image | undefined>();
  readonly #storage = new Map<Address, Storage>();
  #undo: (() => void)[] = [];
  readonly #checkpoints: number[] = [];
  /** Of the current transaction: everything that it touched, with the values before it. */
  #touched = new Map<Address, Before>();
  /** Of the current transaction: values of slots before it, for the gas of SSTORE. */
  readonly originalStorageCache = {
    get: async (address: AddressObject, key: Uint8Array): Promise<Uint8Array> => {
      const [account, slot] = [keyOf(address), bytesToHex(key)];
      const before = this.#touched.get(account)?.slots.get(slot);
      return toBytes(before ?? (await this.#slot(account, slot)));
    },
    clear: (): void => undefined,
  };

  constructor(readonly parent: ParentState) {}

  /** Begins a transaction: what it touches is noted from now on. */
  begin(): void {
    this.#undo = [];
    this.#touched = new Map();
  }

  async getAccount(address: AddressObject): Promise<Account | undefined> {
    const image = await this.#account(keyOf(address));
    if (image === undefined) return undefined;
    const { nonce, balance, codeHash } = image;
    return createAccount({ nonce, balance, codeHash });
  }

  async putAccount(address: AddressObject, account?: Account): Promise<void> {
    const key = keyOf(address);
    if (account === undefined) return this.deleteAccount(address);
    const known = await this.#account(key);
    const { nonce, balance, codeHash } = account;
    this.#set(key, { nonce, balance, codeHash, code: known?.code ?? NO_CODE });
  }

  async deleteAccount(address: AddressObject): Promise<void> {
    const key = keyOf(address);
    await this.#account(key);
    this.#set(key, undefined);
    this.#clear(key);
  }

  async modifyAccountFields(
    address: AddressObject,
    fields: Partial<Pick<Account, 'nonce' | 'balance' | 'codeHash'>>,
  ): Promise<void> {
    const account = (await this.getAccount(address)) ?? createAccount({});
    account.nonce = fields.nonce ?? account.nonce;
    account.balance = fields.balance ?? account.balance;
    account.codeHash = fields.codeHash ?? account.codeHash;
    await this.putAccount(address, account);
  }

  async putCode(address: AddressObject, code: Uint8Array): Promise<void> {
    const key = keyOf(address);
    const { nonce = 0n, balance = 0n } = (await this.#account(key)) ?? {};
    this.#set(key, { nonce, balance, code, codeHash: hashOf(code) });
  }

  async getCode(address: AddressObject): Promise<Uint8Array> {
    return (await this.#account(keyOf(address)))?.code ?? NO_CODE;
  }

  async getCodeSize(address: AddressObject): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: AddressObject, key: Uint8Array): Promise<Uint8Array> {
    return toBytes(await this.#slot(keyOf(address), bytesToHex(key)));
  }

  async putStorage(address: AddressObject, key: Uint8Array, value: Uint8Array): Promise<void> {
    const [account, slot] = [keyOf(address), bytesToHex(key)];
    await this.#slot(account, slot);
    const { slots } = this.#storageOf(account);
    const before = slots.get(slot);
    slots.set(slot, value.length === 0 ? 0n : BigInt(bytesToHex(value)));
    this.#undo.push(() => {
      if (before === undefined) slots.delete(slot);
      else slots.set(slot, before);
    });
  }

  clearStorage(address: AddressObject): Promise<void> {
    this.#clear(keyOf(address));
    return Promise.resolve();
  }

  checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length);
    return Promise.resolve();
  }

  commit(): Promise<void> {
    this.#checkpoints.pop();
    return Promise.resolve();
  }

  revert(): Promise<void> {
    const length = this.#checkpoints.pop() ?? 0;
    while (this.#undo.length > length) this.#undo.pop()?.();
    return Promise.resolve();
  }

  /** What the current transaction touched, as before it: the result of `prestateTracer`. */
  touched(): Record<Address, DiffAccount> {
    const found: Record<Address, DiffAccount> = {};
    for (const [address, { account, slots }] of this.#touched) {
      if (account === undefined && slots.size === 0) continue;
      found[address] = described(account, slots);
    }
    return found;
  }

  /** What the current transaction changed so far: the result of `prestateTracer` with `diffMode`. */
  changes(): StateDiff {
    const diff: StateDiff = { pre: {}, post: {} };
    for (const [address, before] of this.#touched) {
      const current = (slot: Hash): bigint => this.#currentSlot(address, slot);
      addChanges(diff, address, before, { account: this.#accounts.get(address), current });
    }
    return diff;
  }

  /** Everything that was read or written since the parent, as it is now. */
  loaded(): EngineState {
    const state: EngineState = new Map();
    for (const [address, image] of this.#accounts) {
      const storage = new Map<Hash, Hash>();
      for (const slot of this.#knownSlots(address)) {
        storage.set(slot, toWord(this.#currentSlot(address, slot)));
      }
      state.set(address, engineAccount(image, storage));
    }
    return state;
  }

  /** The part of it that differs from the parent's state. */
  changed(): EngineState {
    const state: EngineState = new Map();
    for (const [address, image] of this.#accounts) {
      const storage = new Map<Hash, Hash>();
      for (const slot of this.#knownSlots(address)) {
        const value = this.#currentSlot(address, slot);
        if (value !== (this.parent.knownSlot(address, slot) ?? 0n))
          storage.set(slot, toWord(value));
      }
      const parent = this.parent.known(address);
      if (!isSameAccount(parent, image) || storage.size > 0)
        state.set(address, engineAccount(image, storage));
    }
    return state;
  }

  /** Roots are those of tries, which this state has not. */
  getStateRoot(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(32));
  }

  setStateRoot(): Promise<void> {
    return Promise.reject(new Error('a state without roots'));
  }

  hasStateRoot(): Promise<boolean> {
    return Promise.resolve(false);
  }

  clearCaches(): void {
    // nothing is kept that could be read again
  }

  shallowCopy(): StateManagerInterface {
    return new BlockState(this.parent);
  }

  async #account(address: Address): Promise<Image | undefined> {
    let image: Image | undefined;
    if (this.#accounts.has(address)) image = this.#accounts.get(address);
    else {
      image = imageOf(await this.parent.account(address));
      if (!this.#accounts.has(address)) this.#accounts.set(address, image);
    }
    if (!this.#touched.has(address)) {
      this.#touched.set(address, { account: image, slots: new Map() });
    }
    return image;
  }

  async #slot(address: Address, slot: Hash): Promise<bigint> {
    const storage = this.#storageOf(address);
    let value = storage.slots.get(slot);
    value ??= storage.isCleared ? 0n : await this.parent.slot(address, slot);
    if (!this.#touched.has(address)) await this.#account(address);
    const noted = this.#touched.get(address);
    if (noted && !noted.slots.has(slot)) noted.slots.set(slot, value);
    return value;
  }

  #currentSlot(address: Address, slot: Hash): bigint {
    const storage = this.#storageOf(address);
    const own = storage.slots.get(slot);
    if (own !== undefined) return own;
    return storage.isCleared ? 0n : (this.parent.knownSlot(address, slot) ?? 0n);
  }

  /** Slots of the account that were read or written. */
  #knownSlots(address: Address): Set<Hash> {
    return new Set([...this.parent.readSlots(address), ...this.#storageOf(address).slots.keys()]);
  }

  #storageOf(address: Address): Storage {
    const known = this.#storage.get(address);
    if (known) return known;
    const storage = { isCleared: false, slots: new Map<Hash, bigint>() };
    this.#storage.set(address, storage);
    return storage;
  }

  #set(address: Address, image: Image | undefined): void {
    const before = this.#accounts.get(address);
    this.#accounts.set(address, image);
    this.#undo.push(() => {
      this.#accounts.set(address, before);
    });
  }

  #clear(address: Address): void {
    const before = this.#storageOf(address);
    this.#storage.set(address, { isCleared: true, slots: new Map() });
    this.#undo.push(() => {
      this.#storage.set(address, before);
    });
  }
}

const keyOf = (address: AddressObject): Address => bytesToHex(address.bytes);

/** Without leading zeros, as the virtual machine expects it. */
function toBytes(value: bigint): Uint8Array {
  if (value === 0n) return NO_CODE;
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
