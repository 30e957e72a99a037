import type {
  ConditionPart,
  FailedCondition,
  FailedConditions,
} from '../../api/recording-conditions';
import type { Variable } from '../../api/recording';
import { inSlices } from '../../kernel/async/slices';
import { ExpressionError } from '../languages/port/expression-error';
import { Unavailable } from '../languages/port/unavailable';
import type { FailingCondition, SourceRange, StepVariables } from '../languages/port/variables';
import type { RecordedFrame } from '../recording/recording';
import type { DebuggedTransaction } from '../session/debugged-transaction';

const PANIC = Buffer.from('4e487b71', 'hex');
const ASSERTION = 0x01;
const MAX_TEXT = 2_000;
const MAX_CONDITIONS = 10;

/**
 * The conditions that made the calls of a failed transaction fail. Their values are those before and after their evaluation, where both are
 * the same.
 * @throws the signal's reason
 */
export async function conditionsAnswer(
  debugged: DebuggedTransaction,
  signal: AbortSignal,
): Promise<FailedConditions> {
  const conditions: FailedCondition[] = [];
  for (const index of failedFrames(debugged.recording.frames)) {
    if (conditions.length === MAX_CONDITIONS) break;
    const condition = await conditionOf(debugged, index, signal);
    if (condition) conditions.push(condition);
  }
  return { conditions };
}

async function conditionOf(
  debugged: DebuggedTransaction,
  index: number,
  signal: AbortSignal,
): Promise<FailedCondition | undefined> {
  const frame = debugged.recording.frames[index];
  if (!frame || frame.endStep === frame.firstStep) return undefined;
  const step = frame.endStep - 1;
  const failedAt = debugged.placedStep(step);
  if (failedAt === undefined || debugged.whyUncertain(step) !== undefined) return undefined;
  const { pc } = debugged.recording.at(failedAt);
  const failing = debugged.variables.failingCondition(index, pc);
  if (!failing || failing.text.length > MAX_TEXT || !fits(failing, frame)) return undefined;
  const place = placeOf(debugged, index, failing.place);
  if (!place) return undefined;
  const startedAt = firstStepOf(debugged, failedAt, index, failing.statement);
  const parts = await partsAt([startedAt, failedAt], debugged, failing, signal);
  const { kind, isTrue, isOwn, text } = failing;
  if (parts === 'other' || (parts === undefined && !isOwn)) return undefined;
  const nodeId = debugged.nodes.ofFrame.get(index);
  return {
    ...(nodeId !== undefined && { nodeId }),
    kind,
    text,
    isTrue,
    place,
    parts: parts ?? [],
  };
}

/** The failed calls from the innermost outwards, each the last call of the one after it, without those that pass its failure on. */
function failedFrames(frames: readonly RecordedFrame[]): number[] {
  const lastChild = new Map<number, number>();
  for (const [index, { parent }] of frames.entries()) {
    if (parent !== undefined) lastChild.set(parent, index);
  }
  const found: number[] = [];
  for (let at: number | undefined = 0; at !== undefined; at = lastChild.get(at)) {
    const { end } = frames[at] ?? {};
    if (!end || end.kind === 'returned') break;
    found.unshift(at);
  }
  return found.filter((at, order) => {
    const [end, inner] = [frames[at]?.end, frames[found[order - 1] ?? -1]?.end];
    return !end || !inner || Buffer.compare(end.output, inner.output) !== 0;
  });
}

/** Whether the data of the failure are those of such a statement, and not of an operation inside it. */
function fits({ kind }: FailingCondition, { end }: RecordedFrame): boolean {
  if (!end || end.kind === 'returned') return false;
  if (end.kind === 'halted') return kind === 'assert' && end.reason === 'invalid opcode';
  const isPanic = Buffer.compare(end.output.subarray(0, PANIC.length), PANIC) === 0;
  if (kind !== 'assert') return !isPanic;
  return isPanic && end.output.length === 36 && end.output.at(-1) === ASSERTION;
}

function placeOf(
  debugged: DebuggedTransaction,
  frame: number,
  { file, start, end }: SourceRange,
): FailedCondition['place'] | undefined {
  const code = debugged.codeOf(frame);
  const place = code?.program?.text(file)?.place(start, end - start);
  const origin = code?.program?.origin;
  return place && { ...place, ...(origin && { from: origin, address: code.address }) };
}

/** The first step of the last time that a statement was executed. */
function firstStepOf(
  debugged: DebuggedTransaction,
  last: number,
  frame: number,
  statement: SourceRange,
): number {
  const { recording, calls } = debugged;
  const map = debugged.programOf(frame)?.map;
  const call = calls.callOf[last] ?? 0;
  let first = last;
  for (let step = last; step >= (calls.calls[call]?.firstStep ?? 0); step--) {
    if (calls.callOf[step] !== call || calls.isHelper[step] === 1) continue;
    const range = map?.at(recording.at(step).pc);
    if (!range) continue;
    const isInside =
      range.file === statement.file &&
      range.start >= statement.start &&
      range.start + range.length <= statement.end;
    if (!isInside) break;
    first = step;
  }
  return first;
}

/** Values at each step. @returns other: the condition has another value than the failure needs; undefined: they are not known, or differ */
async function partsAt(
  steps: readonly [number, number],
  debugged: DebuggedTransaction,
  failing: FailingCondition,
  signal: AbortSignal,
): Promise<ConditionPart[] | 'other' | undefined> {
  const found: (ConditionPart[] | 'other' | undefined)[] = [];
  for (const step of steps) {
    const call = debugged.calls.callOf[step] ?? 0;
    await inSlices(debugged.recording.stateWork(step), signal);
    await inSlices(debugged.variables.prepareWork(step, call), signal);
    const read = (): ConditionPart[] | 'other' => partsOf(failing, debugged.variables.at(step));
    try {
      found.push(await debugged.untouched.reading(read, signal));
    } catch (error) {
      if (!(error instanceof Unavailable) && !(error instanceof ExpressionError)) throw error;
      return undefined;
    }
  }
  const [before, after] = found;
  return JSON.stringify(before) === JSON.stringify(after) ? before : undefined;
}

/** @throws Unavailable; ExpressionError */
function partsOf(failing: FailingCondition, variables: StepVariables): ConditionPart[] | 'other' {
  const valueOf = (text: string): boolean => {
    const { isTrue: value, assumption } = variables.condition(text);
    if (assumption !== undefined) throw new Unavailable(assumption);
    return value;
  };
  if (valueOf(failing.text) !== failing.isTrue) return 'other';
  return failing.parts(valueOf).map(({ operands, ...part }) => {
    const values = operands.map((operand) => {
      // Not to be expanded: the answer is of no step.
      const value: Variable = { ...variables.evaluate(operand) };
      delete value.reference;
      delete value.expression;
      return value;
    });
    const isKnown = values.every(
      ({ unavailable, assumption }) => unavailable === undefined && assumption === undefined,
    );
    if (!isKnown && part.relation !== undefined) throw new Unavailable('an operand is not known');
    return { ...part, operands: isKnown ? values : [] };
  });
}
