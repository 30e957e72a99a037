import type { FindRequest, Found } from '../../../server/api/recording-search';
import type { Conditions } from './breakpoints';
import type { RecordedTransaction } from './recorded-transaction';

/** A way through the recording. */
export type Movement = Pick<FindRequest, 'direction' | 'mode'> &
  Partial<Pick<FindRequest, 'granularity' | 'depth'>>;

export const NOWHERE: Omit<Conditions, 'failures'> = {
  lines: [],
  functions: [],
  instructions: [],
  slots: [],
  events: [],
};
export const NO_CONDITIONS: Conditions = { ...NOWHERE, failures: new Set() };

/**
 * The stop that a movement leads to.
 * @throws ApiError `cancelled` if the signal ends it
 */
export async function stepOrContinue(
  recorded: RecordedTransaction,
  from: number,
  movement: Movement,
  { failures, ...breakpoints }: Conditions,
  signal: AbortSignal,
): Promise<Found> {
  const { granularity = 'line', depth = 'into', ...way } = movement;
  const base = { from, ...way, granularity, depth };
  // One search follows one kind of failures. Panics are among all failures, but not always among the uncaught ones.
  const isBoth = failures.has('uncaught') && failures.has('panic') && !failures.has('all');
  const kind = (['all', 'uncaught', 'panic'] as const).find((one) => failures.has(one)) ?? 'none';
  const [found, panic] = await Promise.all([
    recorded.find({ ...base, ...breakpoints, failures: kind }, signal),
    isBoth
      ? recorded.find({ ...base, ...NOWHERE, mode: 'continue', failures: 'panic' }, signal)
      : undefined,
  ]);
  if (panic?.reason !== 'failure') return found;
  const isEarlier = movement.direction === 'forwards' ? isBefore : isAfter;
  if (!isEarlier(panic.step, found.step)) return found;
  return { ...panic, logged: found.logged.filter(({ step }) => isEarlier(step, panic.step)) };
}

const isBefore = (step: number, other: number): boolean => step < other;
const isAfter = (step: number, other: number): boolean => step > other;
