import type { Address, Hash, Hex } from '../../api/primitives';
import { requestEach, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';

/** An account as the chain's node reports it. */
export interface ParentAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
}

/** Accounts and slots that one execution may read. */
const MAX_ENTRIES = 400_000;
/** Bytes of code that one execution may read. */
const MAX_CODE = 128 * 1024 * 1024;

/**
 * The state of a chain after a block, read from its node when an execution first needs it. Reads of one turn of the event loop go to the
 * node together, and the answers are kept.
 */
export class ParentState {
  readonly #accounts = new Map<Address, ParentAccount | Promise<ParentAccount>>();
  readonly #slots = new Map<Address, Map<Hash, bigint | Promise<bigint>>>();
  readonly #block: Hex;
  /** Milliseconds that the first read took. */
  waited = 0;
  #entries = 0;
  #codeBytes = 0;

  /** @param number of the block */
  constructor(
    private readonly rpc: RpcClient,
    readonly number: number,
  ) {
    this.#block = toQuantity(number);
  }

  /** @throws as `RpcClient`; Error beyond the limits */
  account(address: Address): ParentAccount | Promise<ParentAccount> {
    const known = this.#accounts.get(address);
    if (known) return known;
    const reading = this.#readAccount(address);
    this.#accounts.set(address, reading);
    return reading;
  }

  /** @throws as `account` */
  slot(address: Address, slot: Hash): bigint | Promise<bigint> {
    const slots = this.#slotsOf(address);
    const known = slots.get(slot);
    if (known !== undefined) return known;
    const reading = this.#readSlot(address, slot);
    slots.set(slot, reading);
    return reading;
  }

  /** A value that was read before. */
  known(address: Address): ParentAccount | undefined {
    const found = this.#accounts.get(address);
    return found instanceof Promise ? undefined : found;
  }

  /** A value that was read before. */
  knownSlot(address: Address, slot: Hash): bigint | undefined {
    const found = this.#slots.get(address)?.get(slot);
    return found instanceof Promise ? undefined : found;
  }

  /** Slots of the account that were read. */
  readSlots(address: Address): Iterable<Hash> {
    return this.#slots.get(address)?.keys() ?? [];
  }

  async #readAccount(address: Address): Promise<ParentAccount> {
    this.#count();
    const calls = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => ({
      method,
      params: [address, this.#block],
    }));
    const start = performance.now();
    const [balance, nonce, code] = (await requestEach(this.rpc, calls)) as [Hex, Hex, Hex];
    if (this.waited === 0) this.waited = performance.now() - start;
    const account = {
      balance: BigInt(balance),
      nonce: BigInt(nonce),
      code: Buffer.from(code.slice(2), 'hex'),
    };
    this.#codeBytes += account.code.length;
    this.#accounts.set(address, account);
    return account;
  }

  async #readSlot(address: Address, slot: Hash): Promise<bigint> {
    this.#count();
    const params = [address, slot, this.#block];
    const answer = (await this.rpc.request('eth_getStorageAt', params)) as Hex;
    const value = BigInt(answer);
    this.#slotsOf(address).set(slot, value);
    return value;
  }

  #slotsOf(address: Address): Map<Hash, bigint | Promise<bigint>> {
    const known = this.#slots.get(address);
    if (known) return known;
    const slots = new Map<Hash, bigint | Promise<bigint>>();
    this.#slots.set(address, slots);
    return slots;
  }

  #count(): void {
    if (++this.#entries <= MAX_ENTRIES && this.#codeBytes <= MAX_CODE) return;
    throw new Error(
      `it reads more state than one execution may: ${MAX_ENTRIES} accounts and slots, ${MAX_CODE} bytes of code`,
    );
  }
}
