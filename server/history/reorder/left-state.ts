import type { Address, Hash, Hex } from '../../api/primitives';
import type { LeftAccount } from '../../api/reorder';
import type { StateDiff } from '../../evm/forms/prestate-diff';
import { toQuantity, toWord } from '../../evm/forms/quantity';

interface Account {
  balance: bigint;
  nonce: bigint;
  code: Hex;
  readonly slots: Map<Hash, bigint>;
}

/** What transactions of a block changed: accounts as before the first and as after the last of them. */
export class LeftState {
  readonly #first = new Map<Address, Account>();
  readonly #last = new Map<Address, Account>();

  add({ pre, post }: StateDiff): this {
    for (const address of new Set([...keysOf(pre), ...keysOf(post)])) {
      const before = pre[address];
      const after = post[address];
      const { balance, nonce, code, slots } = accountOf(before);
      const first = this.#first.get(address) ?? { balance, nonce, code, slots: new Map() };
      const last = this.#last.get(address) ?? { balance, nonce, code, slots: new Map() };
      const changed = after?.storage ?? {};
      for (const slot of new Set([...slots.keys(), ...(Object.keys(changed) as Hash[])])) {
        if (!first.slots.has(slot)) first.slots.set(slot, slots.get(slot) ?? 0n);
        last.slots.set(slot, BigInt(changed[slot] ?? 0));
      }
      last.balance = after === undefined ? 0n : BigInt(after.balance ?? balance);
      last.nonce = after === undefined ? 0n : BigInt(after.nonce ?? nonce);
      last.code = after === undefined ? '0x' : (after.code ?? code);
      this.#first.set(address, first);
      this.#last.set(address, last);
    }
    return this;
  }

  /**
   * What another execution of the block leaves otherwise.
   * @param balanceOf balance after the block as it was, which the end of the block may have raised
   */
  async differencesTo(
    other: LeftState,
    balanceOf: (address: Address) => Promise<bigint>,
  ): Promise<LeftAccount[]> {
    const left: LeftAccount[] = [];
    for (const address of new Set([...this.#last.keys(), ...other.#last.keys()])) {
      const unchanged = this.#first.get(address) ?? other.#first.get(address);
      const [was, is] = [this.#last.get(address), other.#last.get(address)];
      const [old, now] = [was ?? unchanged, is ?? unchanged];
      if (!old || !now) continue;
      const slots: Record<Hash, Hash> = {};
      const slotBefore = (slot: Hash): bigint =>
        this.#first.get(address)?.slots.get(slot) ??
        other.#first.get(address)?.slots.get(slot) ??
        0n;
      for (const slot of new Set([...(was?.slots.keys() ?? []), ...(is?.slots.keys() ?? [])])) {
        const value = is?.slots.get(slot) ?? slotBefore(slot);
        if (value !== (was?.slots.get(slot) ?? slotBefore(slot))) slots[slot] = toWord(value);
      }
      const gained = now.balance - old.balance;
      const account: LeftAccount = {
        address,
        ...(gained === 0n ? {} : { balance: toQuantity((await balanceOf(address)) + gained) }),
        ...(now.nonce === old.nonce ? {} : { nonce: toQuantity(now.nonce) }),
        ...(now.code === old.code ? {} : { code: now.code }),
        slots,
      };
      if (Object.keys(account).length > 2 || Object.keys(slots).length > 0) left.push(account);
    }
    return left;
  }
}

function accountOf(described: StateDiff['pre'][Address] | undefined): Account {
  const { balance = '0x0', nonce = 0, code = '0x', storage = {} } = described ?? {};
  const slots = Object.entries(storage).map(
    ([slot, value]) => [slot as Hash, BigInt(value)] as const,
  );
  return { balance: BigInt(balance), nonce: BigInt(nonce), code, slots: new Map(slots) };
}

const keysOf = (record: Readonly<Record<Address, unknown>>): Address[] =>
  Object.keys(record) as Address[];
