import { SimpleStateManager } from '@ethereumjs/statemanager';
import { createAccount, bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toWord } from '../../../server/evm/forms/quantity';
import type { PlannedAccount } from './plan';

export interface AccountState {
  balance: bigint;
  nonce: number;
  code: Hex;
  /** Slots other than zero. */
  storage: ReadonlyMap<Hash, Hash>;
}

/** All accounts of a chain at one moment. */
export type WorldState = ReadonlyMap<Address, AccountState>;

type AddressObject = ReturnType<typeof createAddressFromString>;

/** In-memory state that can be read as a whole. A deleted account has neither code nor storage. */
export class ReferenceState extends SimpleStateManager {
  /** Codes as text, so that states share them. */
  readonly #codes = new WeakMap<Uint8Array, Hex>();

  override async deleteAccount(address: AddressObject): Promise<void> {
    await super.deleteAccount(address);
    this.topCodeStack().delete(address.toString());
    await this.clearStorage(address);
  }

  /** Receipts before Byzantium require a root, but nothing here reads it. */
  override getStateRoot(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(32));
  }

  async fill(alloc: Readonly<Record<Address, PlannedAccount>>): Promise<void> {
    for (const [key, { balance = 0n, nonce = 0, code, storage = {} }] of Object.entries(alloc)) {
      const address = createAddressFromString(key);
      await this.putAccount(address, createAccount({ nonce: BigInt(nonce), balance }));
      if (code !== undefined) await this.putCode(address, hexToBytes(code));
      for (const [slot, value] of Object.entries(storage)) {
        await this.putStorage(address, hexToBytes(slot as Hex), hexToBytes(value));
      }
    }
  }

  /** All accounts except empty ones, which do not exist (EIP-161). */
  world(): WorldState {
    const storages = new Map<string, Map<Hash, Hash>>();
    for (const [key, bytes] of this.topStorageStack()) {
      const [address = '', slot = ''] = key.split('_');
      const value = bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes));
      if (value === 0n) continue;
      const storage = storages.get(address) ?? new Map<Hash, Hash>();
      storages.set(address, storage.set(slot as Hash, toWord(value)));
    }
    const world = new Map<Address, AccountState>();
    for (const [address, account] of this.topAccountStack()) {
      if (account === undefined || account.isEmpty()) continue;
      world.set(address, {
        balance: account.balance,
        nonce: Number(account.nonce),
        code: this.#codeOf(address),
        storage: storages.get(address) ?? new Map<Hash, Hash>(),
      });
    }
    return world;
  }

  #codeOf(address: Address): Hex {
    const code = this.topCodeStack().get(address);
    if (!code) return '0x';
    const known = this.#codes.get(code) ?? bytesToHex(code);
    this.#codes.set(code, known);
    return known;
  }
}
