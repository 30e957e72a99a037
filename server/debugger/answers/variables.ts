import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { Variable, Variables } from '../../api/recording';
import { inSlices } from '../../kernel/async/slices';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import type { Evaluate } from '../session/evaluate';
import { Unavailable } from '../languages/port/unavailable';
import type { Scope } from '../languages/port/variables';
import { openFrame, requireStep } from './positions';
import { rawVariables, slotVariable, type RawScope } from './raw-scopes';
import { touchedContract, touchedContracts } from './touched-contracts';
import { wrongExpression } from './wrong-expression';

export interface VariablesQuery {
  readonly scope: RawScope | Scope | 'contracts';
  readonly call?: number | undefined;
  readonly reference?: string | undefined;
  readonly start?: number | undefined;
  readonly count?: number | undefined;
}

const COUNT = 100;

const callAt = ({ calls }: DebuggedTransaction, step: number): number => calls.callOf[step] ?? 0;

/** @throws ApiError `invalidField`; the signal's reason */
export async function variablesAnswer(
  debugged: DebuggedTransaction,
  step: number,
  { scope, call, reference, start = 0, count = COUNT }: VariablesQuery,
  signal: AbortSignal,
): Promise<Variables> {
  requireStep(debugged, step);
  if (count > LIMITS.recordedVariablesPage) {
    throw invalidField('count', count, `a whole number up to ${LIMITS.recordedVariablesPage}`);
  }
  const machine = await inSlices(debugged.recording.stateWork(step), signal);
  if (scope === 'contracts') {
    const page = { start, count };
    if (reference === undefined) return touchedContracts(debugged, machine, page, signal);
    const read = (): Variables => touchedContract(debugged, machine, reference, page);
    return debugged.untouched.reading(read, signal);
  }
  const frame = openFrame(debugged, machine, call);
  if (scope === 'storage' || scope === 'transient' || scope === 'gas') {
    if (reference !== undefined) {
      const slot = slotOf(scope, reference);
      const variable = await debugged.untouched.reading(
        () => slotVariable(debugged, machine, frame, slot),
        signal,
      );
      return { variables: [variable], total: 1 };
    }
    const raw = rawVariables(debugged, machine, frame, scope);
    const variables =
      scope === 'transient' ? named(raw, debugged.variables.at(step, call).transient()) : raw;
    return { variables: variables.slice(start, start + count), total: variables.length };
  }
  await inSlices(debugged.variables.prepareWork(step, call ?? callAt(debugged, step)), signal);
  try {
    return await debugged.untouched.reading(() => {
      const variables = debugged.variables.at(step, call);
      return reference === undefined
        ? variables.list(scope, start, count)
        : variables.children(reference, start, count);
    }, signal);
  } catch (error) {
    if (error instanceof Unavailable) {
      return { variables: [], total: 0, unavailable: error.message };
    }
    throw wrongExpression('reference', reference ?? '', error);
  }
}

/** @throws ApiError `invalidField` */
function slotOf(scope: RawScope, reference: string): bigint {
  if (scope !== 'storage') {
    throw invalidField('reference', reference, `none: the variables of ${scope} have no members`);
  }
  if (!/^0x[0-9a-f]{64}$/i.test(reference)) {
    throw invalidField('reference', reference, 'a slot: 0x and 64 hex digits');
  }
  return BigInt(reference);
}

/** The variables of slots by their names, then the other slots. */
function named(slots: readonly Variable[], variables: readonly Variable[]): Variable[] {
  const known = new Set(variables.map(({ slot }) => slot));
  return [...variables, ...slots.filter(({ slot }) => !known.has(slot))];
}

/** @throws ApiError `invalidField`; the signal's reason */
export async function evaluateAnswer(
  debugged: DebuggedTransaction,
  step: number,
  { expression, call }: { expression: string; call?: number | undefined },
  signal: AbortSignal,
): Promise<Variable> {
  requireStep(debugged, step);
  openFrame(debugged, await inSlices(debugged.recording.stateWork(step), signal), call);
  await inSlices(debugged.variables.prepareWork(step, call ?? callAt(debugged, step)), signal);
  try {
    return await debugged.untouched.reading(
      () => debugged.variables.at(step, call).evaluate(expression),
      signal,
    );
  } catch (error) {
    throw wrongExpression('expression', expression, error);
  }
}

/** Values of conditions, and of expressions in messages. */
export const evaluator =
  (debugged: DebuggedTransaction, signal: AbortSignal): Evaluate =>
  async (step, expression, isCondition) => {
    await inSlices(debugged.recording.stateWork(step), signal);
    await inSlices(debugged.variables.prepareWork(step, callAt(debugged, step)), signal);
    try {
      return await debugged.untouched.reading(() => {
        const variables = debugged.variables.at(step);
        if (isCondition) return { ...variables.condition(expression), text: '' };
        const { value, unavailable, assumption } = variables.evaluate(expression);
        return { isTrue: false, text: value, unavailable, assumption };
      }, signal);
    } catch (error) {
      if (error instanceof Unavailable) {
        return { isTrue: false, text: '', unavailable: error.message };
      }
      throw wrongExpression('expression', expression, error);
    }
  };
