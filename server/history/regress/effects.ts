import { executionSteps, type CallFrame } from '../../analysis/call-frame';
import type { TransactionTrace } from '../../analysis/ports';
import type { StateDiff } from '../../evm/forms/prestate-diff';

/** What an execution did besides using gas. */
export interface Effects {
  /** Events that were not rolled back, in order. */
  readonly events: readonly string[];
  /** Wei that accounts got by calls, fees aside. */
  readonly payments: ReadonlyMap<string, bigint>;
  /** Slots, codes and nonces that it left; without balances, which have the fee. */
  readonly state: ReadonlyMap<string, string>;
}

export function effectsOf({ root, changes }: TransactionTrace): Effects {
  const events: string[] = [];
  const payments = new Map<string, bigint>();
  const add = (account: string, wei: bigint): void => {
    payments.set(account, (payments.get(account) ?? 0n) + wei);
  };
  for (const { frame, log, reverted } of executionSteps(root)) {
    if (reverted) continue;
    if (log) events.push(JSON.stringify([log.address, log.topics, log.data]).toLowerCase());
    else if (frame.value > 0n && frame.to !== null && isPayment(frame)) {
      add(frame.from, -frame.value);
      add(frame.to, frame.value);
    }
  }
  for (const [account, wei] of payments) if (wei === 0n) payments.delete(account);
  return { events, payments, state: stateOf(changes as StateDiff | undefined) };
}

const isPayment = ({ type }: CallFrame): boolean => type !== 'DELEGATECALL' && type !== 'CALLCODE';

function stateOf(changes: StateDiff | undefined): Map<string, string> {
  const state = new Map<string, string>();
  if (!changes) return state;
  const { pre, post } = changes;
  for (const [address, before] of Object.entries(pre)) {
    const after = post[address as `0x${string}`];
    if (after === undefined) state.set(`${address} is gone`, '');
    for (const slot of Object.keys(before.storage ?? {})) state.set(`${address} ${slot}`, '0');
  }
  for (const [address, { storage = {}, code, nonce }] of Object.entries(post)) {
    if (code !== undefined) state.set(`${address} code`, code);
    if (nonce !== undefined) state.set(`${address} nonce`, String(nonce));
    for (const [slot, value] of Object.entries(storage)) {
      state.set(`${address} ${slot}`, BigInt(value).toString(16));
    }
  }
  return state;
}

/** In what two executions of one transaction differ, in words; undefined: in gas at most. */
export function effectsDifference(old: Effects, now: Effects): string | undefined {
  const parts = [
    eventsDifference(old.events, now.events),
    mapDifference('payments', old.payments, now.payments),
    mapDifference('state', old.state, now.state),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('; ');
}

function eventsDifference(old: readonly string[], now: readonly string[]): string | undefined {
  const first = now.findIndex((event, index) => event !== old[index]);
  if (first < 0 && old.length === now.length) return undefined;
  return old.length === now.length
    ? `event ${first} differs`
    : `${now.length} events instead of ${old.length}`;
}

function mapDifference<Value>(
  what: string,
  old: ReadonlyMap<string, Value>,
  now: ReadonlyMap<string, Value>,
): string | undefined {
  const different = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => old.get(key) !== now.get(key),
  );
  const [first] = different;
  if (first === undefined) return undefined;
  const more = different.length > 1 ? ` and ${different.length - 1} more` : '';
  return `other ${what}: ${first}${more}`;
}
