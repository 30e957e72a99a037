import {
  bytesToHex,
  createAccount,
  hexToBytes,
  type Address as AddressObject,
} from '@ethereumjs/util';
import type { Address } from '../../../server/api/primitives';
import type { StateTrie } from '../../support/state-trie';
import type { PlannedAccount } from '../reference/plan';
import { ReferenceState } from '../reference/state';

/** Loads what an execution reads from a trie, and lists it. */
export class LoadingState extends ReferenceState {
  readonly loaded: Record<Address, PlannedAccount> = {};

  constructor(
    options: ConstructorParameters<typeof ReferenceState>[0],
    private readonly trie: StateTrie,
  ) {
    super(options);
  }

  override getAccount(address: AddressObject): ReturnType<ReferenceState['getAccount']> {
    this.#load(address);
    return super.getAccount(address);
  }

  override putAccount(...params: Parameters<ReferenceState['putAccount']>): Promise<void> {
    this.#load(params[0]);
    return super.putAccount(...params);
  }

  override getCode(address: AddressObject): Promise<Uint8Array> {
    this.#load(address);
    return super.getCode(address);
  }

  override getStorage(address: AddressObject, key: Uint8Array): Promise<Uint8Array> {
    this.#loadSlot(address, key);
    return super.getStorage(address, key);
  }

  override putStorage(address: AddressObject, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#loadSlot(address, key);
    return super.putStorage(address, key, value);
  }

  #load(object: AddressObject): PlannedAccount {
    const address = object.toString();
    const known = this.loaded[address];
    if (known) return known;
    const account = this.trie.account(address);
    const planned: PlannedAccount = { storage: {} };
    this.loaded[address] = planned;
    if (!account) return planned;
    const { balance, nonce } = account;
    const code = this.trie.code(address);
    Object.assign(planned, { balance, nonce, ...(code === '0x' ? {} : { code }) });
    for (const accounts of this.accountStack) {
      const codeHash = hexToBytes(account.codeHash);
      accounts.set(address, createAccount({ nonce: BigInt(nonce), balance, codeHash }));
    }
    if (code !== '0x') for (const codes of this.codeStack) codes.set(address, hexToBytes(code));
    return planned;
  }

  #loadSlot(object: AddressObject, key: Uint8Array): void {
    const [address, slot] = [object.toString(), bytesToHex(key)];
    const { storage = {} } = this.#load(object);
    if (storage[slot] !== undefined) return;
    const value = this.trie.slot(address, slot);
    storage[slot] = value;
    if (BigInt(value) === 0n) return;
    for (const slots of this.storageStack) {
      slots.set(`${address}_${slot}`, hexToBytes(`0x${BigInt(value).toString(16)}`));
    }
  }
}
