import * as l10n from '@vscode/l10n';
import type { FindRequest, Found } from '../../../server/api/recording-search';
import type { Conditions } from './breakpoints';
import type { RecordedTransaction } from './recorded-transaction';
import { isWithoutSource } from './stack-frames';

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
 * A movement that may pause is searched in parts. The number of expressions in a part adapts, so that it takes about `PART_MS` milliseconds.
 */
const FIRST_EVALUATIONS = 16;
const MOST_EVALUATIONS = 1_024;
const PART_MS = 300;

/** A stop, not a place on the way to it. */
type FoundStop = Found & { readonly reason: Exclude<Found['reason'], 'unfinished'> };

interface Way {
  signal: AbortSignal;
  /** Receives the step that the search has got to, and the messages on the way to it. */
  onPart?: (step: number, messages: readonly string[]) => void;
}

/** A movement from a step, as the user sees it: in code without source, an instruction is a line. */
export async function asShown(
  recorded: RecordedTransaction,
  from: number,
  movement: Movement,
): Promise<Movement> {
  const isByInstruction =
    movement.mode === 'step' && isWithoutSource(recorded, await recorded.step(from));
  return isByInstruction ? { ...movement, granularity: 'instruction' } : movement;
}

/**
 * The stop that a movement leads to.
 * @throws ApiError `cancelled` if the signal ends it
 */
export async function stepOrContinue(
  recorded: RecordedTransaction,
  from: number,
  movement: Movement,
  conditions: Conditions,
  { signal, onPart }: Way,
): Promise<FoundStop> {
  const remarks = new Set<string>();
  const isNew = ({ id, text, isRemark }: Found['logged'][number]): boolean => {
    const remark = `${id} ${text}`;
    if (isRemark === true && remarks.has(remark)) return false;
    if (isRemark === true) remarks.add(remark);
    return true;
  };
  let evaluations = FIRST_EVALUATIONS;
  for (let reached = from; ;) {
    const asked = performance.now();
    const part = movement.mode === 'continue' ? { evaluations } : {};
    const found = await search(recorded, reached, { ...movement, ...part }, conditions, signal);
    const isSlow = performance.now() - asked > PART_MS;
    evaluations = isSlow ? Math.ceil(evaluations / 2) : Math.min(MOST_EVALUATIONS, evaluations * 2);
    const { step, reason, logged, omitted = 0 } = found;
    const texts = logged.filter(isNew).map(({ text }) => text);
    if (omitted > 0) texts.push(l10n.t('{0} further messages of logpoints are left out', omitted));
    onPart?.(step, texts);
    if (reason !== 'unfinished') return { ...found, reason };
    reached = step;
  }
}

async function search(
  recorded: RecordedTransaction,
  from: number,
  movement: Movement & Pick<FindRequest, 'evaluations'>,
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
