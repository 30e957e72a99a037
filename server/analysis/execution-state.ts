import type { Address, Hash, Hex } from '../api/primitives';
import { toQuantity, toWord } from '../evm/forms/quantity';

/** An account in the result of go-ethereum's `prestateTracer`. Unknown or unchanged facts are omitted. */
interface TracedAccount {
  readonly balance?: string;
  readonly nonce?: number | string;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hash, Hash>>;
}
type TracedState = Readonly<Record<Address, TracedAccount>>;

/** State overrides in the form of `eth_call`'s third parameter. */
export type StateOverride = Record<
  Address,
  { balance?: Hex; nonce?: Hex; code?: Hex; stateDiff?: Record<Hash, Hash> }
>;

/** State before and after a transaction. */
export interface ExecutionState {
  /** Change of each account's balance in wei, fees included. Accounts without a change are omitted. */
  readonly native: ReadonlyMap<Address, bigint>;
  /** Everything that the transaction touched, as before it. */
  readonly before: StateOverride;
  /** The same, as after it. */
  readonly after: StateOverride;
}

/** Tracer options: all accounts and slots that a transaction touches, and those that it changes. */
export const TOUCHED_TRACER = { tracer: 'prestateTracer' } as const;
export const CHANGES_TRACER = {
  tracer: 'prestateTracer',
  tracerConfig: { diffMode: true },
} as const;

/**
 * Reads the results of `prestateTracer`, without and with `diffMode`.
 * @returns undefined if they are not such results
 */
export function readExecutionState(touched: unknown, changes: unknown): ExecutionState | undefined {
  try {
    const { pre, post } = changes as { pre: TracedState; post: TracedState };
    const [found, before, after] = [touched as TracedState, pre, post].map(lowerCaseKeys);
    return found && before && after ? toState(found, before, after) : undefined;
  } catch {
    return undefined;
  }
}

function toState(touched: TracedState, pre: TracedState, post: TracedState): ExecutionState {
  const native = new Map<Address, bigint>();
  const before: StateOverride = {};
  const after: StateOverride = {};
  for (const [address, { balance, storage }] of entries(touched)) {
    const known = {
      ...(balance === undefined ? {} : { balance: toQuantity(BigInt(balance)) }),
      ...(storage ? { stateDiff: words(storage) } : {}),
    };
    before[address] = known;
    after[address] = { ...known, ...(storage ? { stateDiff: words(storage) } : {}) };
  }
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)] as Address[])) {
    const was = pre[address] ?? {};
    // An account that is missing after the transaction was destroyed.
    const is = post[address] ?? { balance: '0x0', nonce: 0, code: '0x' };
    const balance = BigInt(was.balance ?? '0x0');
    const left = is.balance === undefined ? balance : BigInt(is.balance);
    if (left !== balance) native.set(address, left - balance);
    const slots = Object.keys({ ...was.storage, ...is.storage }) as Hash[];
    before[address] = merged(before[address], was, balance, slots);
    after[address] = merged(
      after[address],
      { ...was, ...is, storage: is.storage ?? {} },
      left,
      slots,
    );
  }
  return { native, before, after };
}

/** A slot that is not listed on one side is zero there. */
function merged(
  known: StateOverride[Address] = {},
  { code, storage }: TracedAccount,
  balance: bigint,
  slots: readonly Hash[],
): StateOverride[Address] {
  const stateDiff = {
    ...known.stateDiff,
    ...Object.fromEntries(slots.map((slot) => [slot, toWord(BigInt(storage?.[slot] ?? '0x0'))])),
  };
  return {
    ...known,
    balance: toQuantity(balance),
    ...(code === undefined ? {} : { code }),
    ...(Object.keys(stateDiff).length === 0 ? {} : { stateDiff }),
  };
}

const entries = (state: TracedState): [Address, TracedAccount][] =>
  Object.entries(state) as [Address, TracedAccount][];
const words = (storage: Readonly<Record<Hash, Hash>>): Record<Hash, Hash> =>
  Object.fromEntries(Object.entries(storage).map(([slot, value]) => [slot, toWord(BigInt(value))]));
const lowerCaseKeys = (state: TracedState): TracedState =>
  Object.fromEntries(Object.entries(state).map(([key, value]) => [key.toLowerCase(), value]));
