import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import type { Executed } from './chain';
import type { Frame } from './frames';
import type { AccountState } from './state';

/** The parts of an execution that tracers report. */
type Traced = Pick<Executed, 'root' | 'before' | 'after'>;

export interface TracerOptions {
  tracer?: string;
  tracerConfig?: { diffMode?: boolean; withLog?: boolean; onlyTopCall?: boolean };
}

/** @throws Error for unsupported tracers, like a node without JavaScript tracers */
export function debugAnswer(executed: Traced, { tracer, tracerConfig }: TracerOptions): unknown {
  if (tracer === 'callTracer') return callFrame(executed.root, tracerConfig?.withLog === true);
  if (tracer === 'prestateTracer') {
    return tracerConfig?.diffMode === true ? differences(executed) : touched(executed);
  }
  throw new Error(`tracer ${tracer?.slice(0, 20) ?? ''} is not available`);
}

/** Result of go-ethereum's `callTracer`: a failed frame and the frames below it have no logs. */
function callFrame(frame: Frame, withLog: boolean, isRolledBack = false): object {
  const rolledBack = isRolledBack || frame.error !== undefined;
  const calls = frame.calls.map((one) => callFrame(one, withLog, rolledBack));
  const logs = frame.logs.map(({ position, ...log }) => ({
    ...log,
    position: toQuantity(position),
  }));
  const hasValue = !['DELEGATECALL', 'STATICCALL'].includes(frame.type);
  return {
    type: frame.type,
    from: frame.from,
    ...(frame.to === '' ? {} : { to: frame.to }),
    ...(hasValue ? { value: toQuantity(frame.value) } : {}),
    gas: toQuantity(frame.gas),
    gasUsed: toQuantity(frame.gasUsed),
    input: frame.input,
    ...(frame.output === '0x' ? {} : { output: frame.output }),
    ...(frame.error === undefined ? {} : { error: frame.error }),
    ...(calls.length === 0 ? {} : { calls }),
    ...(!withLog || rolledBack || logs.length === 0 ? {} : { logs }),
  };
}

interface TracedAccount {
  balance?: Hex;
  nonce?: number;
  code?: Hex;
  storage?: Record<Hash, Hash>;
}

/** Result of `prestateTracer` with `diffMode`: `post` contains the changed facts, without slots that became zero and destroyed accounts. */
function differences({ before, after }: Traced): object {
  const pre: Record<Address, TracedAccount> = {};
  const post: Record<Address, TracedAccount> = {};
  for (const address of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(address);
    const is = after.get(address);
    const slots = changedSlots(was, is);
    if (was?.balance === is?.balance && was?.nonce === is?.nonce && was?.code === is?.code) {
      if (slots.length === 0) continue;
    }
    if (was) pre[address] = whole(was, slots);
    if (!is) continue;
    const changed: TracedAccount = {};
    if (was?.balance !== is.balance) changed.balance = toQuantity(is.balance);
    if (was?.nonce !== is.nonce && is.nonce !== 0) changed.nonce = is.nonce;
    if (was?.code !== is.code && is.code !== (was?.code ?? '0x')) changed.code = is.code;
    const left = slots.filter((slot) => is.storage.has(slot));
    if (left.length > 0) changed.storage = pick(is, left);
    post[address] = changed;
  }
  return { pre, post };
}

/** Contains more than a transaction touches: every account of the chain, as before the transaction. */
function touched({ before, after }: Traced): object {
  const all: Record<Address, TracedAccount> = {};
  for (const address of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(address);
    all[address] = was ? whole(was, [...was.storage.keys()]) : { balance: '0x0' };
  }
  return all;
}

function whole(account: AccountState, slots: readonly Hash[]): TracedAccount {
  return {
    balance: toQuantity(account.balance),
    ...(account.nonce === 0 ? {} : { nonce: account.nonce }),
    ...(account.code === '0x' ? {} : { code: account.code }),
    ...(slots.length === 0 ? {} : { storage: pick(account, slots) }),
  };
}

const pick = ({ storage }: AccountState, slots: readonly Hash[]): Record<Hash, Hash> =>
  Object.fromEntries(slots.map((slot) => [slot, storage.get(slot) ?? toWord(0)]));

function changedSlots(was: AccountState | undefined, is: AccountState | undefined): Hash[] {
  const slots = new Set([...(was?.storage.keys() ?? []), ...(is?.storage.keys() ?? [])]);
  return [...slots].filter((slot) => was?.storage.get(slot) !== is?.storage.get(slot));
}
