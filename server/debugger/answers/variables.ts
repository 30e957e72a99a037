import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { Variables } from '../../api/recording';
import { inSlices } from '../../async/slices';
import type { DebuggedTransaction } from '../debugged-transaction';
import { openFrame, requireStep } from './positions';
import { rawVariables, type RawScope } from './raw-scopes';

export interface VariablesQuery {
  readonly scope: RawScope | 'state' | 'locals';
  readonly call?: number | undefined;
  readonly reference?: string | undefined;
  readonly start?: number | undefined;
  readonly count?: number | undefined;
}

const COUNT = 100;

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
  const frame = openFrame(debugged, machine, call);
  if (scope === 'state' || scope === 'locals') {
    return { variables: [], total: 0, unavailable: 'variables are not available yet' };
  }
  if (reference !== undefined) {
    throw invalidField('reference', reference, `none: the variables of ${scope} have no members`);
  }
  const variables = rawVariables(debugged, machine, frame, scope);
  return { variables: variables.slice(start, start + count), total: variables.length };
}
