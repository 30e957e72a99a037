import { invalidField } from '../../api/errors';
import type { Variable, Variables } from '../../api/recording';
import type { Machine } from '../../evm/interpreter/machine';
import { inSlices, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { Unavailable } from '../languages/port/unavailable';
import { slotKey } from '../recording/recording';
import { touchedSlots } from './raw-scopes';
import { wrongExpression } from './wrong-expression';

/** Codes with state that a transaction executes on an account: a proxy has its own and that of its implementation. */
interface TouchedContract {
  readonly address: string;
  /** Index of a call that executes the code, open at the step if one is. */
  readonly call: number;
  readonly name: string;
}

interface Page {
  readonly start: number;
  readonly count: number;
}

/**
 * The contracts that a transaction executes, with references to their states at a step.
 * @throws the signal's reason
 */
export async function touchedContracts(
  debugged: DebuggedTransaction,
  { frames }: Pick<Machine, 'frames'>,
  { start, count }: Page,
  signal: AbortSignal,
): Promise<Variables> {
  const open = new Set(frames.map(({ index }) => index));
  const shown = await inSlices(contractsWork(debugged, open), signal);
  return { variables: shown.slice(start, start + count), total: shown.length };
}

/**
 * The state of one of them.
 * @param reference number of a call, and after a space that of a variable of its contract
 * @throws ApiError `invalidField`
 */
export function touchedContract(
  debugged: DebuggedTransaction,
  machine: Machine,
  reference: string,
  { start, count }: Page,
): Variables {
  const [, number = '', inner] = /^(\d{1,9})(?: (.+))?$/s.exec(reference) ?? [];
  const call = Number(number);
  if (number === '' || debugged.calls.calls[call] === undefined) {
    throw invalidField('reference', reference, 'that of a contract of the scope contracts');
  }
  if (variableCount(debugged, call) === undefined) {
    return slotsOf(debugged, machine, call, { start, count });
  }
  const variables = debugged.variables.stateAt(machine.steps, call);
  try {
    const found =
      inner === undefined
        ? variables.list('state', start, count)
        : variables.children(inner, start, count);
    return { ...found, variables: found.variables.map((one) => ofCall(call, one)) };
  } catch (error) {
    if (error instanceof Unavailable) {
      return { variables: [], total: 0, unavailable: error.message };
    }
    throw wrongExpression('reference', reference, error);
  }
}

/** @param open indices of the frames that are open at the step */
function* contractsWork(
  debugged: DebuggedTransaction,
  open: ReadonlySet<number>,
): Work<Variable[]> {
  const slots = yield* slotCountsWork(debugged);
  const shown: Variable[] = [];
  for (const { address, call, name } of yield* executedWork(debugged, open)) {
    yield 1;
    const children = variableCount(debugged, call) ?? slots.get(address) ?? 0;
    if (children === 0) continue;
    const text = name === '' ? address : `${name} at ${address}`;
    shown.push({ name: text, type: 'contract', value: address, children, reference: `${call}` });
  }
  return shown;
}

/** One for each account and code, in order of first use; the innermost open call of it where there is one. */
function* executedWork(
  debugged: DebuggedTransaction,
  open: ReadonlySet<number>,
): Work<TouchedContract[]> {
  const { calls, recording, codes } = debugged;
  const found = new Map<string, TouchedContract>();
  for (const [call, { kind, frame }] of calls.calls.entries()) {
    if (call % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    const { context } = recording.frames[frame] ?? {};
    const code = debugged.codeOf(frame);
    if (kind !== 'external' || !context || !code) continue;
    const name = debugged.nameOf(code);
    const executed = codes.codes[codes.codeOf[frame] ?? -1]?.address ?? '';
    const key = `${context.address} ${name} ${executed}`;
    if (found.has(key) && !open.has(frame)) continue;
    found.set(key, { address: context.address, call, name });
  }
  return [...found.values()];
}

/** Numbers of the slots of storage that the transaction reads or writes, by account. */
function* slotCountsWork({ recording }: DebuggedTransaction): Work<Map<string, number>> {
  const keys = new Set<string>();
  for (const key of recording.loads.keys()) {
    if (keys.size % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (key.startsWith('0x')) keys.add(key);
  }
  for (const [index, { frame, slot, isTransient }] of recording.stores.entries()) {
    if (index % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    const address = recording.frames[frame]?.context.address;
    if (!isTransient && address !== undefined) keys.add(slotKey(address, slot));
  }
  const counts = new Map<string, number>();
  let counted = 0;
  for (const key of keys) {
    if (++counted % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    const address = key.slice(0, key.indexOf(' '));
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return counts;
}

/** Number of the state variables of a call's contract; undefined where they are not known. */
function variableCount({ variables }: DebuggedTransaction, call: number): number | undefined {
  const { total, unavailable } = variables.stateAt(0, call).list('state', 0, 0);
  return unavailable === undefined ? total : undefined;
}

/** The slots of an account of which no variables are known. */
function slotsOf(
  debugged: DebuggedTransaction,
  machine: Machine,
  call: number,
  { start, count }: Page,
): Variables {
  const { frame = 0 } = debugged.calls.calls[call] ?? {};
  const { context } = debugged.recording.frames[frame] ?? {};
  if (!context) return { variables: [], total: 0 };
  const slots = touchedSlots(debugged, machine, context);
  return { variables: slots.slice(start, start + count), total: slots.length };
}

/** Its expression means nothing in other contracts. */
function ofCall(call: number, variable: Variable): Variable {
  const { reference } = variable;
  const own: Variable = { ...variable };
  delete own.expression;
  if (reference !== undefined) own.reference = `${call} ${reference}`;
  return own;
}
