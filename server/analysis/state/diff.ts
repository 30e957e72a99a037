import { isHexString, keccak256 } from 'ethers';
import type { AccountChange, StateDiff } from '../../api/views';
import type { Address, Hash, Hex } from '../../api/primitives';
import { ApiError, shown } from '../../api/errors';
import { toWord } from '../../evm/forms/quantity';
import type { GasFee } from '../gas/fee';

/** One side of an account. An undefined field equals the other side's. */
interface AccountState {
  readonly balance?: bigint | undefined;
  readonly nonce?: number | undefined;
  readonly code?: Hex | undefined;
  readonly storage: ReadonlyMap<Hash, Hash>;
}

/** Changes of one account. A side is undefined if the account does not exist there. */
export interface AccountDiff {
  readonly address: Address;
  readonly before: AccountState | undefined;
  readonly after: AccountState | undefined;
}

/**
 * Reads the result of go-ethereum's `prestateTracer` with `diffMode`: `pre` contains the accounts that changed, `post` their new values.
 * Slots of zero are missing on either side. An account that is only in `pre` was destroyed, one that is only in `post` or empty in `pre` was
 * created.
 * @throws ApiError `upstreamLacksData` if it is not such a result
 */
export function readStateDiff(answer: unknown): AccountDiff[] {
  const { pre, post } = object(answer, 'the state difference');
  const before = readAccounts(pre, 'pre');
  const after = readAccounts(post, 'post');
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((address) => ({
    address,
    before: before.get(address),
    after: after.get(address),
  }));
}

function readAccounts(value: unknown, field: string): Map<Address, AccountState> {
  return new Map(
    Object.entries(object(value ?? {}, field)).map(([key, state]) => {
      if (!isHexString(key, 20)) malformed(field, key);
      return [key.toLowerCase() as Address, readAccount(object(state, field))];
    }),
  );
}

const EMPTY_CODE_HASH = keccak256('0x');

function readAccount({
  balance,
  nonce,
  code,
  codeHash,
  storage,
}: Record<string, unknown>): AccountState {
  return {
    balance: balance === undefined ? undefined : quantity(balance, 'balance'),
    nonce: nonce === undefined ? undefined : Number(quantity(nonce, 'nonce')),
    code:
      code === undefined
        ? codeHash === EMPTY_CODE_HASH
          ? '0x'
          : undefined
        : isHexString(code, true)
          ? (code.toLowerCase() as Hex)
          : malformed('code', code),
    storage: new Map(
      Object.entries(object(storage ?? {}, 'storage')).map(([slot, word]) => [
        toWord(quantity(slot, 'storage')),
        toWord(quantity(word, 'storage')),
      ]),
    ),
  };
}

/** The difference in the view's form: the changes of each account, separate from gas fees. Accounts without changes are omitted. */
export function toStateDiff(
  diffs: readonly AccountDiff[],
  fee: GasFee,
): Omit<StateDiff['stateDiff'], 'method'> {
  return {
    fee: {
      payer: fee.payer,
      paid: fee.paid.toString(),
      recipient: fee.recipient,
      received: fee.received.toString(),
      ...(fee.others.length === 0
        ? {}
        : {
            others: fee.others.map(({ recipient, received }) => ({
              recipient,
              received: received.toString(),
            })),
          }),
    },
    accounts: diffs.flatMap((diff) => toAccountChange(diff, fee) ?? []),
  };
}

function toAccountChange(
  { address, before, after }: AccountDiff,
  fee: GasFee,
): AccountChange | undefined {
  const destroyed = after === undefined;
  const old = before ?? NO_ACCOUNT;
  const changed = changedSides(old, after ?? (before === undefined ? old : GONE));
  const storage = slotChanges(old.storage, after?.storage ?? new Map<Hash, Hash>());
  const { nonce, code } = changed;
  const ofFee = feeOf(address, fee);
  const unmoved = { before: old.balance ?? 0n, after: old.balance ?? 0n }; // the fee cancels out the received value
  const balance = changed.balance ?? (ofFee === 0n ? undefined : unmoved);
  if (!balance && !nonce && !code && storage.length === 0) return undefined;
  return {
    address,
    created: !destroyed && (before === undefined || isEmpty(before)),
    destroyed,
    ...(balance && { balance: balanceChange(balance, ofFee) }),
    ...(nonce && { nonce }),
    ...(code && { code }),
    storage,
  };
}

/** EIP-161: an empty account does not exist. Tracers omit a nonce of zero and missing code. */
const isEmpty = ({ balance, nonce = 0, code = '0x' }: AccountState): boolean =>
  balance === 0n && nonce === 0 && code === '0x';

const GONE: AccountState = { balance: 0n, nonce: 0, code: '0x', storage: new Map() };
const NO_ACCOUNT = GONE;

interface Sides<T> {
  before: T;
  after: T;
}

function changedSides(
  old: AccountState,
  fresh: AccountState,
): { balance?: Sides<bigint>; nonce?: Sides<number>; code?: Sides<Hex> } {
  const balance = sides(old.balance ?? 0n, fresh.balance);
  const nonce = sides(old.nonce ?? 0, fresh.nonce);
  const code = sides(old.code ?? '0x', fresh.code);
  return { ...(balance && { balance }), ...(nonce && { nonce }), ...(code && { code }) };
}

function sides<T>(before: T, after: T | undefined): Sides<T> | undefined {
  return after === undefined || after === before ? undefined : { before, after };
}

const feeOf = (address: Address, { payer, paid, recipient, received, others }: GasFee): bigint =>
  others.reduce(
    (sum, share) => (share.recipient === address ? sum + share.received : sum),
    (address === recipient ? received : 0n) - (address === payer ? paid : 0n),
  );

const balanceChange = (
  { before, after }: Sides<bigint>,
  ofFee: bigint,
): NonNullable<AccountChange['balance']> => ({
  before: before.toString(),
  after: after.toString(),
  change: (after - before - ofFee).toString(),
  fee: ofFee.toString(),
});

const ZERO = toWord(0);

function slotChanges(
  before: ReadonlyMap<Hash, Hash>,
  after: ReadonlyMap<Hash, Hash>,
): AccountChange['storage'] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((slot) => {
    const change = sides(before.get(slot) ?? ZERO, after.get(slot) ?? ZERO);
    return change ? [{ slot, ...change }] : [];
  });
}

function object(value: unknown, what: string): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : malformed(what, value);
}

function quantity(value: unknown, field: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
  return malformed(field, value);
}

function malformed(field: string, value: unknown): never {
  throw new ApiError(
    'upstreamLacksData',
    `the node's state difference cannot be read: ${field} is ${shown(value)}`,
  );
}
