import type { FindRequest, Found } from '../../api/recording-search';
import { inSlices, pause, Pauses } from '../../kernel/async/slices';
import { breakpointsWork, type Breakpoint } from './breakpoints';
import { ConditionTruths } from './condition-truths';
import type { DebuggedTransaction } from './debugged-transaction';
import type { Evaluate } from './evaluate';
import { LoggedMessages, messageAt } from './logged-messages';

/** A breakpoint that is searched along its steps. */
interface Cursor {
  readonly breakpoint: Breakpoint;
  /** Index of its next step in the direction of the search. */
  index: number;
  /** The last index whose hit was counted, and how many hits there are up to it. */
  counted: { index: number; hits: number } | undefined;
  /** Whether it was said that its condition is not known at a step, or not proved. */
  isUnknownReported: boolean;
  isAssumedReported: boolean;
}

/** What the conditions of breakpoints are decided by. */
interface Facts {
  readonly evaluate: Evaluate;
  readonly truths: ConditionTruths;
}

/** The next step at which a debugger stops. Going back stops at the same steps as going forwards. */
export async function findStop(
  debugged: DebuggedTransaction,
  request: FindRequest,
  evaluate: Evaluate,
  signal: AbortSignal,
): Promise<Found> {
  const direction = request.direction === 'forwards' ? 1 : -1;
  const target = request.mode === 'step' ? stepTarget(debugged, request, direction) : undefined;
  const end = target === undefined ? edge(debugged, request, direction) : undefined;
  const breakpoints = await inSlices(breakpointsWork(debugged, request), signal);
  const cursors = breakpoints.map((breakpoint) => ({
    breakpoint,
    counted: undefined,
    isUnknownReported: false,
    isAssumedReported: false,
    index: firstIndex(breakpoint.steps, request.from, direction),
  }));
  const logged = new LoggedMessages();
  const pauses = new Pauses(signal);
  let evaluations = 0;
  const counting: Evaluate = async (...asked) => {
    evaluations++;
    await pauses.ifDue();
    return evaluate(...asked);
  };
  const truths = ConditionTruths.of(debugged);
  for (;;) {
    const step = nearestStep(cursors, direction);
    const isBeyond =
      step === undefined || (target !== undefined && (step - target) * direction > 0);
    if (isBeyond) {
      const { answer } = logged;
      if (target !== undefined) {
        return { step: target, reason: 'step', ids: [], text: '', ...answer };
      }
      return { step: end?.step ?? 0, reason: end?.reason ?? 'end', ids: [], text: '', ...answer };
    }
    const hits = await hitsAt(cursors, step, direction, { evaluate: counting, truths, logged });
    const [first] = hits;
    if (first) {
      const ids = hits.flatMap(({ id }) => id ?? []);
      const written = first.written?.(step);
      const found = { step, reason: first.reason, ids, text: first.text(step), ...logged.answer };
      return written ? { ...found, written } : found;
    }
    // A step has a place where it ends, which another search from a later place would not find.
    const isLong = logged.isLong && target === undefined;
    if (isLong || evaluations >= (request.evaluations ?? Infinity)) {
      return { step, reason: 'unfinished', ids: [], text: '', ...logged.answer };
    }
    await pause();
    signal.throwIfAborted();
  }
}

function nearestStep(cursors: readonly Cursor[], direction: 1 | -1): number | undefined {
  let nearest: number | undefined;
  for (const { breakpoint, index } of cursors) {
    const step = breakpoint.steps[index];
    if (step === undefined) continue;
    if (nearest === undefined || (step - nearest) * direction < 0) nearest = step;
  }
  return nearest;
}

/** The breakpoints that stop at a step. Moves all of them beyond it. */
async function hitsAt(
  cursors: readonly Cursor[],
  step: number,
  direction: 1 | -1,
  { logged, ...facts }: Facts & { logged: LoggedMessages },
): Promise<Breakpoint[]> {
  const hits: Breakpoint[] = [];
  for (const cursor of cursors) {
    const { breakpoint, index } = cursor;
    if (breakpoint.steps[index] !== step) continue;
    cursor.index += direction;
    const { id = 0, message } = breakpoint;
    const remark = (text: string): void => {
      logged.add({ id, step, text, isRemark: true });
    };
    if (!(await isHit(cursor, index, facts, remark))) continue;
    if (message === undefined) hits.push(breakpoint);
    else if (logged.isFull) logged.omit();
    else logged.add({ id, step, text: await messageAt(message, step, facts.evaluate) });
  }
  return hits;
}

/**
 * Hits count from the start of the transaction; those at which the condition does not hold do not count.
 * @param remark receives once why a condition is not known, and what it rests on where it is not proved
 */
async function isHit(
  cursor: Cursor,
  index: number,
  { evaluate, truths }: Facts,
  remark: (text: string) => void,
): Promise<boolean> {
  const { steps, condition, hits = 1 } = cursor.breakpoint;
  if (condition === undefined) return stopsAt(hits, index + 1);
  const holdsAt = async (at: number): Promise<boolean> => {
    const step = steps[at] ?? 0;
    const { isTrue, unavailable, assumption } = await evaluate(step, condition, true);
    if (unavailable === undefined) truths.set(condition, step, isTrue);
    else if (!cursor.isUnknownReported) {
      cursor.isUnknownReported = true;
      remark(`the condition ${condition} is not known here: ${unavailable}`);
    }
    if (assumption !== undefined && !cursor.isAssumedReported) {
      cursor.isAssumedReported = true;
      remark(`the condition ${condition} uses values that are not proved: ${assumption}`);
    }
    return isTrue;
  };
  if (!(await holdsAt(index))) return false;
  if (hits === 1) return true;
  const { counted } = cursor;
  let hit = 1;
  if (counted !== undefined) {
    // The search has passed all steps between, and the condition holds at none of them.
    hit = counted.hits + (counted.index < index ? 1 : -1);
  } else {
    for (let at = 0; at < index; at++) {
      const known = truths.get(condition, steps[at] ?? 0);
      if (known ?? (await holdsAt(at))) hit++;
    }
  }
  cursor.counted = { index, hits: hit };
  return stopsAt(hits, hit);
}

/** @param hit from 1 */
function stopsAt(hits: NonNullable<Breakpoint['hits']>, hit: number): boolean {
  if (typeof hits === 'number') return hit >= hits;
  return 'every' in hits ? hit % hits.every === 0 : hit === hits.exactly;
}

/** Undefined beyond the beginning or the end. */
function stepTarget(
  debugged: DebuggedTransaction,
  { from, granularity, depth }: FindRequest,
  direction: 1 | -1,
): number | undefined {
  const { stops, recording } = debugged;
  if (granularity !== 'instruction') return stops.find(from, direction, depth, granularity);
  const own = depth === 'into' ? Infinity : stops.depthAt(from) - (depth === 'out' ? 1 : 0);
  for (let step = from + direction; step >= 0 && step < recording.steps; step += direction) {
    if (stops.depthAt(step) <= own) return step;
  }
  return undefined;
}

function edge(
  { recording, stops }: DebuggedTransaction,
  { granularity, mode }: FindRequest,
  direction: 1 | -1,
): Pick<Found, 'step' | 'reason'> {
  if (direction === 1) return { step: Math.max(0, recording.steps - 1), reason: 'end' };
  const isFirst = mode === 'step' && granularity === 'instruction';
  return { step: isFirst ? 0 : (stops.find(-1, 1) ?? 0), reason: 'entry' };
}

/** Index of the nearest step beyond another one. */
function firstIndex(steps: readonly number[], from: number, direction: 1 | -1): number {
  let low = 0;
  let high = steps.length;
  // The first index with a step after `from`, or from it on.
  while (low < high) {
    const middle = (low + high) >> 1;
    const step = steps[middle] ?? 0;
    if (direction === 1 ? step <= from : step < from) low = middle + 1;
    else high = middle;
  }
  return direction === 1 ? low : low - 1;
}
