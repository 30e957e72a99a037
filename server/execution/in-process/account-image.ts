import { KECCAK256_NULL } from '@ethereumjs/util';
import { keccak256 } from 'ethers';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { EngineAccount } from '../../evm/forms/engine-state';
import type { DiffAccount, StateDiff } from '../../evm/forms/prestate-diff';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { ParentAccount } from './parent-state';

/** An account that exists. */
export interface Image extends ParentAccount {
  readonly codeHash: Uint8Array;
}

/** A value before the current transaction. */
export interface Before {
  readonly account: Image | undefined;
  readonly slots: Map<Hash, bigint>;
}

export const NO_CODE = new Uint8Array(0);

/** What an account is now, for comparison with what it was. */
interface Now {
  readonly account: Image | undefined;
  /** Value of a slot. */
  readonly current: (slot: Hash) => bigint;
}

/** Adds what a transaction changed in an account to the result of `prestateTracer` with `diffMode`. */
export function addChanges(
  { pre, post }: StateDiff,
  address: Address,
  { account, slots }: Before,
  { account: now, current }: Now,
): void {
  const changed = new Map<Hash, bigint>();
  for (const [slot, value] of slots) {
    const after = current(slot);
    if (after !== value) changed.set(slot, after);
  }
  const isSame =
    account?.balance === now?.balance &&
    account?.nonce === now?.nonce &&
    sameBytes(account?.code, now?.code);
  if (isSame && changed.size === 0) return;
  if (account !== undefined) {
    const before = [...changed.keys()].map((slot) => [slot, slots.get(slot) ?? 0n] as const);
    pre[address] = described(account, new Map(before));
  }
  if (now === undefined) return;
  const after: DiffAccount = {};
  if (now.balance !== (account?.balance ?? 0n)) after.balance = toQuantity(now.balance);
  if (now.nonce !== (account?.nonce ?? 0n)) after.nonce = Number(now.nonce);
  if (!sameBytes(now.code, account?.code)) after.code = hexOf(now.code);
  const left = [...changed].filter(([, value]) => value !== 0n);
  if (left.length > 0) {
    after.storage = Object.fromEntries(left.map(([slot, value]) => [slot, toWord(value)]));
  }
  post[address] = after;
}

/** Whether balance, nonce and code are equal. An account that does not exist equals an empty one. */
export const isSameAccount = (one?: ParentAccount, other?: ParentAccount): boolean =>
  (one?.balance ?? 0n) === (other?.balance ?? 0n) &&
  (one?.nonce ?? 0n) === (other?.nonce ?? 0n) &&
  sameBytes(one?.code, other?.code);

const hexOf = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

/** EIP-161: an empty account does not exist. */
export function imageOf(account: ParentAccount): Image | undefined {
  const { balance, nonce, code } = account;
  if (balance === 0n && nonce === 0n && code.length === 0) return undefined;
  return { balance, nonce, code, codeHash: hashOf(code) };
}

export const hashOf = (code: Uint8Array): Uint8Array =>
  code.length === 0 ? KECCAK256_NULL : Buffer.from(keccak256(code).slice(2), 'hex');

const sameBytes = (one: Uint8Array = NO_CODE, other: Uint8Array = NO_CODE): boolean =>
  one === other || Buffer.compare(one, other) === 0;

export const engineAccount = (
  image: Image | undefined,
  storage: Map<Hash, Hash>,
): EngineAccount => ({
  balance: image?.balance ?? 0n,
  nonce: image?.nonce ?? 0n,
  code: hexOf(image?.code ?? NO_CODE),
  storage,
});

export function described(
  account: Image | undefined,
  slots: ReadonlyMap<Hash, bigint>,
): DiffAccount {
  const found: DiffAccount = { balance: toQuantity(account?.balance ?? 0n) };
  if (account !== undefined && account.nonce !== 0n) found.nonce = Number(account.nonce);
  if (account !== undefined && account.code.length > 0) found.code = hexOf(account.code);
  if (slots.size > 0) {
    found.storage = Object.fromEntries(
      Array.from(slots, ([slot, value]) => [slot, toWord(value)] as const),
    );
  }
  return found;
}
