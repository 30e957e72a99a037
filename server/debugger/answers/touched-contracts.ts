import { invalidField } from '../../api/errors';
import type { Variable, Variables } from '../../api/recording';
import type { Machine } from '../../evm/interpreter/machine';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { Unavailable } from '../languages/port/unavailable';
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
  readonly reference?: string | undefined;
  readonly start: number;
  readonly count: number;
}

/**
 * The state of all contracts that a transaction executes, at a step.
 * @param page `reference`: number of a call, and after a space that of a variable of its contract
 * @throws ApiError `invalidField`
 */
export function touchedContracts(
  debugged: DebuggedTransaction,
  machine: Machine,
  { reference, start, count }: Page,
): Variables {
  const step = machine.steps;
  if (reference === undefined) {
    const all = contractsAt(debugged, machine).map((one) =>
      contractVariable(debugged, machine, one),
    );
    const shown = all.filter(({ children = 0 }) => children > 0);
    return { variables: shown.slice(start, start + count), total: shown.length };
  }
  const [, number = '', inner] = /^(\d{1,9})(?: (.+))?$/s.exec(reference) ?? [];
  const call = Number(number);
  if (number === '' || debugged.calls.calls[call] === undefined) {
    throw invalidField('reference', reference, 'that of a contract of the scope contracts');
  }
  if (!hasVariables(debugged, call)) return slotsOf(debugged, machine, call, { start, count });
  const variables = debugged.variables.stateAt(step, call);
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

/** One for each account and code, in order of first use; the innermost open call of it where there is one. */
function contractsAt(debugged: DebuggedTransaction, machine: Machine): TouchedContract[] {
  const { calls, recording, codes } = debugged;
  const open = new Set(machine.frames.map(({ index }) => index));
  const found = new Map<string, TouchedContract & { readonly isOpen: boolean }>();
  for (const [call, { kind, frame }] of calls.calls.entries()) {
    const { context } = recording.frames[frame] ?? {};
    const code = debugged.codeOf(frame);
    if (kind !== 'external' || !context || !code) continue;
    const key = `${context.address} ${debugged.nameOf(code)} ${codes.codes[codes.codeOf[frame] ?? -1]?.address ?? ''}`;
    const isOpen = open.has(frame);
    if (found.has(key) && !isOpen) continue;
    const name = debugged.nameOf(code);
    found.set(key, { address: context.address, call, name, isOpen });
  }
  return [...found.values()];
}

const hasVariables = (debugged: DebuggedTransaction, call: number): boolean =>
  debugged.variables.stateAt(0, call).list('state', 0, 0).unavailable === undefined;

function contractVariable(
  debugged: DebuggedTransaction,
  machine: Machine,
  { address, call, name }: TouchedContract,
): Variable {
  const children = hasVariables(debugged, call)
    ? debugged.variables.stateAt(machine.steps, call).list('state', 0, 0).total
    : slotsOf(debugged, machine, call, { start: 0, count: 0 }).total;
  const shown = name === '' ? address : `${name} at ${address}`;
  return { name: shown, type: 'contract', value: address, children, reference: String(call) };
}

/** The slots of an account of which no variables are known. */
function slotsOf(
  debugged: DebuggedTransaction,
  machine: Machine,
  call: number,
  { start, count }: Omit<Page, 'reference'>,
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
