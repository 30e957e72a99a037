import type { ExecutedLines } from '../../api/recording';
import { inSlices, type Work } from '../../kernel/async/slices';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { ExecutedStatements } from '../recording/executed-statements';
import { requireContract } from './disassembly';
import type { SourceLine } from '../recording/line-numbers';
import type { Program } from '../recording/program';

/** Steps that are listed of a line. */
const LISTED = 20;
const PAUSE_STEPS = 16_384;

/** Which lines are wanted. */
interface LinesQuery {
  /** Name of a file as compiled; default: all. */
  readonly file?: string | undefined;
  /** Index of a code that has the file; default: all files of the name. */
  readonly contract?: number | undefined;
  /** Default: all. */
  readonly line?: number | undefined;
  /** A step: those around it are listed. */
  readonly near?: number | undefined;
}

/** @throws ApiError `invalidField`; the signal's reason */
export async function linesAnswer(
  debugged: DebuggedTransaction,
  { file, contract, line: wanted, near }: LinesQuery,
  signal: AbortSignal,
): Promise<ExecutedLines> {
  if (contract !== undefined) requireContract(debugged, contract);
  const { stops } = debugged;
  const texts = new Set(
    debugged.textsOf(contract ?? -1).map((text) => stops.numbers.canonical(text)),
  );
  const gas = await gasByLine(debugged, signal);
  const lines = [...stops.entered()]
    .filter(({ line }) => file === undefined || line.file === file)
    .filter(({ line }) => contract === undefined || texts.has(line.text))
    .filter(({ line }) => wanted === undefined || line.line === wanted)
    .map(({ number, line, steps }) => ({
      file: line.file,
      line: line.line,
      contract: debugged.contractOf(line.text),
      count: steps.length,
      gas: gas(number, line),
      ...listed(steps, near),
    }));
  return {
    lines: lines.sort(
      (a, b) => compare(a.file, b.file) || a.contract - b.contract || a.line - b.line,
    ),
  };
}

/** Gas of the executed code, also for the lines of an unoptimized build; 0 for a line that only that has. */
async function gasByLine(
  debugged: DebuggedTransaction,
  signal: AbortSignal,
): Promise<(number: number, line: SourceLine) => number> {
  const executed = debugged.recorded.executed?.debugged;
  const byNumber = await inSlices(gasOfLines(executed ?? debugged), signal);
  if (!executed) return (number) => byNumber.get(number) ?? 0;
  const byText = new Map<string, Map<string, number>>();
  const keyOf = ({ file, line }: SourceLine): string => `${file}:${line}`;
  for (const { number, line } of executed.stops.entered()) {
    const lines = byText.get(line.text.content) ?? new Map<string, number>();
    byText.set(line.text.content, lines.set(keyOf(line), byNumber.get(number) ?? 0));
  }
  return (_, line) => byText.get(line.text.content)?.get(keyOf(line)) ?? 0;
}

/** As many steps before a step, with the step itself, as after it, if there are so many. */
function listed(
  steps: readonly number[],
  near = 0,
): Pick<ExecutedLines['lines'][number], 'steps' | 'first'> {
  const after = steps.findIndex((step) => step > near);
  const middle = after === -1 ? steps.length : after;
  const start = Math.max(0, Math.min(middle - LISTED / 2, steps.length - LISTED));
  return { steps: steps.slice(start, start + LISTED), first: start + 1 };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const gasOf = new WeakMap<DebuggedTransaction, ReadonlyMap<number, number>>();

/** Gas by number of the line. Code that the compiler generated counts for the line before it in the same call. */
function* gasOfLines(debugged: DebuggedTransaction): Work<ReadonlyMap<number, number>> {
  const known = gasOf.get(debugged);
  if (known) return known;
  const { recording, calls, stops } = debugged;
  const { frames } = recording;
  const programOf = (frame: number): Program | undefined => debugged.programOf(frame);
  const statements = new ExecutedStatements(recording, calls, programOf, stops.numbers);
  const gas = new Map<number, number>();
  const lineOf = new Map<number, number>();
  /** By frame: line and remaining gas of the last step, and the gas that its calls used since. */
  const open = new Map<number, { line: number | undefined; gas: number; called: number }>();
  const charge = (frame: number, left: number): void => {
    const before = open.get(frame);
    if (before?.line === undefined) return;
    const own = before.gas - left - before.called;
    gas.set(before.line, (gas.get(before.line) ?? 0) + own);
  };
  for (let step = 0; step < recording.steps; step++) {
    if (step % PAUSE_STEPS === 0) yield PAUSE_STEPS;
    const { frame: index, gas: left } = recording.at(step);
    charge(index, left);
    const call = calls.callOf[step] ?? 0;
    const line = statements.at(step)?.line ?? lineOf.get(call);
    if (line !== undefined) lineOf.set(call, line);
    open.set(index, { line, gas: left, called: 0 });
    const frame = frames[index];
    if (frame?.endStep !== step + 1) continue;
    charge(index, frame.gasLeft);
    const caller = frame.parent === undefined ? undefined : open.get(frame.parent);
    if (caller) caller.called += frame.context.gas - frame.gasLeft;
  }
  gasOf.set(debugged, gas);
  return gas;
}
