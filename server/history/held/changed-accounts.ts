import type { Address, Hash, Hex } from '../../api/primitives';
import type { DiffAccount, StateDiff } from '../../evm/forms/prestate-diff';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { StateRead } from '../../debugger/languages/port/state-read';

/** Accounts as executed transactions left them, as far as they changed them. */
export class ChangedAccounts {
  readonly #accounts = new Map<Address, DiffAccount>();

  /** Takes over what a transaction changed. */
  apply({ pre, post }: StateDiff): void {
    for (const address of new Set([...Object.keys(pre), ...Object.keys(post)]) as Set<Address>) {
      const known = this.#accounts.get(address) ?? {};
      const after = post[address] ?? { balance: '0x0', nonce: 0, code: '0x' };
      const storage: Record<Hash, Hash> = { ...known.storage };
      for (const slot of Object.keys(pre[address]?.storage ?? {}))
        storage[slot as Hash] = toWord(0);
      this.#accounts.set(address, {
        ...known,
        ...after,
        storage: { ...storage, ...after.storage },
      });
    }
  }

  /** Undefined for what no transaction changed. */
  valueOf(read: Exclude<StateRead, { kind: 'call' }>): Hex | undefined {
    const known = this.#accounts.get(read.address);
    return read.kind === 'slot' ? known?.storage?.[read.slot] : accountField(known, read.kind);
  }

  list(): readonly (readonly [Address, DiffAccount])[] {
    return [...this.#accounts];
  }
}

/** Undefined where the account does not say it. */
export function accountField(
  account: DiffAccount | undefined,
  part: 'balance' | 'code' | 'nonce',
): Hex | undefined {
  if (part !== 'nonce') return account?.[part];
  return account?.nonce === undefined ? undefined : toQuantity(account.nonce);
}
