import type { OtherState } from './call-outside-recording';

/** What the chain's state is before an execution, as far as the execution reads it. */
export interface Prestate {
  readonly accounts: ReadonlyMap<string, PrestateAccount>;
  /** Whether empty accounts are part of the state (before EIP-161). */
  readonly hasEmpty?: boolean;
}

export interface PrestateAccount {
  /** Wei. */
  readonly balance: bigint;
  readonly nonce: number;
  readonly code: Uint8Array;
  readonly storage: ReadonlyMap<bigint, bigint>;
}

export interface Account {
  readonly balance: bigint;
  readonly nonce: number;
  readonly code: Uint8Array;
}

/** A log as a contract emitted it. */
export interface EmittedLog {
  readonly address: string;
  readonly topics: readonly bigint[];
  readonly data: Uint8Array;
}

const NO_CODE = new Uint8Array(0);
export const NO_ACCOUNT: Account = { balance: 0n, nonce: 0, code: NO_CODE };

/** EIP-161. */
export const isEmptyAccount = ({ balance, nonce, code }: Account): boolean =>
  balance === 0n && nonce === 0 && code.length === 0;

/**
 * The state during an execution. Every change can be undone back to a mark, as a call frame that reverts does. All values are immutable,
 * so that a copy shares them.
 */
export class World {
  #accounts = new Map<string, Account>();
  /** Values that were written, by `address slot`. */
  #storage = new Map<string, bigint>();
  /** EIP-1153. */
  #transient = new Map<string, bigint>();
  /** Accounts, and slots as `address slot` (EIP-2929). */
  #warm = new Set<string>();
  /** In this transaction (EIP-6780). */
  #created = new Set<string>();
  /** In transactions before this one, of the same execution. */
  #createdBefore = new Set<string>();
  #destroyed = new Set<string>();
  #logs: EmittedLog[] = [];
  #refund = 0;
  #undo: ((world: World) => void)[] = [];

  /** @param other what the prestate lacks; default: it is empty */
  constructor(
    private readonly prestate: Prestate,
    readonly other?: OtherState,
  ) {}

  get logs(): readonly EmittedLog[] {
    return this.#logs;
  }

  /** Gas, before it is capped. */
  get refund(): number {
    return this.#refund;
  }

  get destroyed(): ReadonlySet<string> {
    return this.#destroyed;
  }

  /** How many values a copy holds. */
  get weight(): number {
    return this.#accounts.size + this.#storage.size + this.#warm.size + this.#undo.length;
  }

  /** A place to return to. */
  get mark(): number {
    return this.#undo.length;
  }

  /** Undoes the changes that were made after a mark. */
  revertTo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.(this);
  }

  account(address: string): Account {
    return this.knownAccount(address) ?? this.other?.account(address) ?? NO_ACCOUNT;
  }

  /** undefined: neither the state before the execution nor the execution itself has it. */
  knownAccount(address: string): Account | undefined {
    return this.#accounts.get(address) ?? this.prestate.accounts.get(address);
  }

  /** EIP-161. */
  isEmpty(address: string): boolean {
    return isEmptyAccount(this.account(address));
  }

  /** Whether an account is part of the state: before EIP-161 an empty one can become so. */
  exists(address: string): boolean {
    if (this.#accounts.has(address) || !this.isEmpty(address)) return true;
    return this.prestate.hasEmpty ?? false;
  }

  update(address: string, change: Partial<Account>): void {
    const before = this.#accounts.get(address);
    this.#accounts.set(address, { ...this.account(address), ...change });
    this.#undo.push((world) => {
      if (before) world.#accounts.set(address, before);
      else world.#accounts.delete(address);
    });
  }

  /** @param wei the sender has them */
  transfer(from: string, to: string, wei: bigint): void {
    this.update(from, { balance: this.account(from).balance - wei });
    this.update(to, { balance: this.account(to).balance + wei });
  }

  storage(address: string, slot: bigint): bigint {
    if (!this.other) return this.#storage.get(keyOf(address, slot)) ?? this.original(address, slot);
    return this.knownStorage(address, slot) ?? this.other.storage(address, slot);
  }

  /** The value before the transaction; zero for a contract that the transaction created. */
  original(address: string, slot: bigint): bigint {
    if (this.#isNew(address)) return 0n;
    return this.prestate.accounts.get(address)?.storage.get(slot) ?? 0n;
  }

  /** undefined: the execution has not written the slot, and the state before it lacks it. */
  knownStorage(address: string, slot: bigint): bigint | undefined {
    return this.#storage.get(keyOf(address, slot)) ?? this.knownOriginal(address, slot);
  }

  /** As `original`; undefined where the state before the transaction lacks the slot. */
  knownOriginal(address: string, slot: bigint): bigint | undefined {
    if (this.#isNew(address)) return 0n;
    return this.prestate.accounts.get(address)?.storage.get(slot);
  }

  /** The state as another execution finds it. */
  after(): Prestate {
    const accounts = new Map<string, PrestateAccount>();
    const known = new Set([...this.prestate.accounts.keys(), ...this.#accounts.keys()]);
    const written = new Map<string, Map<bigint, bigint>>();
    for (const [key, value] of this.#storage) {
      const [address = '', slot = '0'] = key.split(' ');
      known.add(address);
      const slots = written.get(address) ?? new Map<bigint, bigint>();
      written.set(address, slots.set(BigInt(`0x${slot}`), value));
    }
    for (const address of known) {
      if (this.#destroyed.has(address)) continue;
      const before = this.#isNew(address)
        ? []
        : (this.prestate.accounts.get(address)?.storage ?? []);
      const storage = new Map([...before, ...(written.get(address) ?? [])]);
      accounts.set(address, { ...this.account(address), storage });
    }
    return { accounts };
  }

  setStorage(address: string, slot: bigint, value: bigint): void {
    this.#set((world) => world.#storage, keyOf(address, slot), value);
  }

  transient(address: string, slot: bigint): bigint {
    return this.#transient.get(keyOf(address, slot)) ?? 0n;
  }

  setTransient(address: string, slot: bigint, value: bigint): void {
    this.#set((world) => world.#transient, keyOf(address, slot), value);
  }

  /** @returns whether it was cold until now (EIP-2929) */
  warmAccount(address: string): boolean {
    return this.#add((world) => world.#warm, address);
  }

  warmSlot(address: string, slot: bigint): boolean {
    return this.#add((world) => world.#warm, keyOf(address, slot));
  }

  /** Begins another transaction of the same execution, which nothing reverts. @param warm accounts (EIP-2929) */
  beginNext(warm: readonly string[]): void {
    for (const address of this.#created) this.#createdBefore.add(address);
    this.#created.clear();
    this.#transient.clear();
    this.#warm.clear();
    for (const address of warm) this.#warm.add(address);
  }

  #isNew(address: string): boolean {
    return this.#created.has(address) || this.#createdBefore.has(address);
  }

  isCreated(address: string): boolean {
    return this.#created.has(address);
  }

  markCreated(address: string): void {
    this.#add((world) => world.#created, address);
  }

  /** @returns whether it was not destroyed before */
  markDestroyed(address: string): boolean {
    return this.#add((world) => world.#destroyed, address);
  }

  addRefund(gas: number): void {
    this.#refund += gas;
    this.#undo.push((world) => {
      world.#refund -= gas;
    });
  }

  emit(log: EmittedLog): void {
    this.#logs.push(log);
    this.#undo.push((world) => {
      world.#logs.pop();
    });
  }

  clone(other = this.other): World {
    const copy = new World(this.prestate, other);
    copy.#accounts = new Map(this.#accounts);
    copy.#storage = new Map(this.#storage);
    copy.#transient = new Map(this.#transient);
    copy.#warm = new Set(this.#warm);
    copy.#created = new Set(this.#created);
    copy.#createdBefore = new Set(this.#createdBefore);
    copy.#destroyed = new Set(this.#destroyed);
    copy.#logs = [...this.#logs];
    copy.#refund = this.#refund;
    copy.#undo = [...this.#undo];
    return copy;
  }

  /** Undos find their collection in the world that they are applied to: copies share them. */
  #set(of: (world: World) => Map<string, bigint>, key: string, value: bigint): void {
    const before = of(this).get(key);
    of(this).set(key, value);
    this.#undo.push((world) => {
      if (before === undefined) of(world).delete(key);
      else of(world).set(key, before);
    });
  }

  #add(of: (world: World) => Set<string>, key: string): boolean {
    if (of(this).has(key)) return false;
    of(this).add(key);
    this.#undo.push((world) => {
      of(world).delete(key);
    });
    return true;
  }
}

const keyOf = (address: string, slot: bigint): string => `${address} ${slot.toString(16)}`;
