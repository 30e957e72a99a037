import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { FindRequest, Found } from '../../api/recording-search';
import type { Work } from '../../kernel/async/slices';
import { toWord } from '../../evm/forms/quantity';
import { writeText } from './breakpoint-index';
import type { DebuggedTransaction } from './debugged-transaction';
import { failedStepsWork } from './failures';
import { slotKey, type RecordedStore } from '../recording/recording';
import { isChanged, slotsOf } from './watched-slots';

/** A breakpoint with the steps at which it may stop. */
export interface Breakpoint {
  /** Undefined for failures. */
  readonly id: number | undefined;
  readonly reason: Found['reason'];
  /** Ascending. */
  readonly steps: readonly number[];
  /** What happens at one of the steps, in words. */
  readonly text: (step: number) => string;
  /** Values of the slot that a step writes. */
  readonly written?: (step: number) => Found['written'];
  readonly condition?: string | undefined;
  readonly hits?: FindRequest['lines'][number]['hits'];
  readonly message?: string | undefined;
}

const PAUSE_STEPS = 65_536;

/** All breakpoints of a search. */
export function* breakpointsWork(
  debugged: DebuggedTransaction,
  request: FindRequest,
): Work<Breakpoint[]> {
  const { lines, functions, instructions, slots, events, failures } = request;
  const { index } = debugged;
  const found: Breakpoint[] = [];
  for (const { file, line, contract, ...rest } of lines) {
    const steps = lineSteps(debugged, { file, line, contract });
    found.push({ ...rest, reason: 'line', text: () => '', steps });
    yield 1;
  }
  for (const { name, ...rest } of functions) {
    found.push({ ...rest, reason: 'function', text: () => name, steps: index.function(name) });
  }
  const budget = { left: LIMITS.watchedAccesses };
  for (const slot of slots) {
    found.push(dataBreakpoint(debugged, slot, budget));
    yield 1;
  }
  for (const { name, ...rest } of events) {
    const text = (step: number): string => index.events.get(step) ?? '';
    found.push({ ...rest, reason: 'event', text, steps: index.eventSteps(name) });
  }
  if (failures !== 'none') {
    found.push({
      id: undefined,
      reason: 'failure',
      steps: yield* failedStepsWork(debugged, failures),
      text: (step) => debugged.failureOf(debugged.recording.at(step).frame) ?? '',
    });
  }
  if (instructions.length > 0) {
    const steps = yield* instructionSteps(debugged, instructions);
    for (const { contract, pc, ...rest } of instructions) {
      const own = steps.get(keyOf(contract, pc)) ?? [];
      found.push({ ...rest, reason: 'instruction', steps: own, text: () => '' });
    }
  }
  return found;
}

/** Steps that enter a line: of the file that a code has, or of all files of the name. */
function lineSteps(
  debugged: DebuggedTransaction,
  { file, line, contract }: Pick<FindRequest['lines'][number], 'file' | 'line' | 'contract'>,
): readonly number[] {
  const { stops } = debugged;
  if (contract === undefined) return stops.stepsOf({ file, line });
  const text = debugged.textsOf(contract).find((one) => one.file === file);
  return text ? stops.stepsOf({ file, line, text }) : [];
}

const keyOf = (contract: number, pc: number): string => `${contract} ${pc}`;

function* instructionSteps(
  { recording, codes }: DebuggedTransaction,
  instructions: FindRequest['instructions'],
): Work<ReadonlyMap<string, number[]>> {
  const found = new Map(
    instructions.map(({ contract, pc }) => [keyOf(contract, pc), [] as number[]]),
  );
  const offsets = new Set(instructions.map(({ pc }) => pc));
  for (let step = 0; step < recording.steps; step++) {
    if (step % PAUSE_STEPS === 0) yield PAUSE_STEPS;
    const { pc, frame } = recording.at(step);
    if (offsets.has(pc)) found.get(keyOf(codes.codeOf[frame] ?? -1, pc))?.push(step);
  }
  return found;
}

function dataBreakpoint(
  debugged: DebuggedTransaction,
  request: FindRequest['slots'][number],
  budget: { left: number },
): Breakpoint {
  const { recording, index } = debugged;
  const { access, offset, length, address, slot: first, slots, isBytes, ...rest } = request;
  const { transient = false, ...others } = rest;
  /** A write, or the slot of a read, by its step. */
  const accesses = new Map<number, RecordedStore | bigint>();
  const add = (step: number, access: RecordedStore | bigint): void => {
    if (budget.left-- <= 0) throw tooManyAccesses();
    accesses.set(step, access);
  };
  const watched = { address, slot: BigInt(first), slots, isBytes, transient };
  for (const slot of slotsOf(debugged, watched)) {
    if (access !== 'write') {
      const reads = recording.loads.get(slotKey(address, slot, transient)) ?? [];
      for (const step of reads) add(step, slot);
    }
    if (access === 'read') continue;
    for (const write of index.writes(address, slot, transient)) {
      const isOther = access !== 'write' && write.before === write.after;
      if (isOther || isChanged(write, offset, length)) add(write.step, write);
    }
  }
  const steps = [...accesses.keys()].sort((a, b) => a - b);
  return {
    ...others,
    reason: 'data',
    steps: isBytes ? oncePerStop(debugged, steps) : steps,
    text: (step) => {
      const known = accesses.get(step) ?? '';
      if (typeof known === 'object') return writeText(known);
      return known === '' ? '' : `read of ${transient ? 'transient ' : ''}slot ${toWord(known)}`;
    },
    written: (step) => {
      const known = accesses.get(step);
      if (typeof known !== 'object') return undefined;
      return { before: toWord(known.before), after: toWord(known.after) };
    },
  };
}

const tooManyAccesses = (): ApiError =>
  new ApiError(
    'invalidField',
    `slots have more than ${LIMITS.watchedAccesses} accesses together; accepted: data breakpoints on fewer slots`,
  );

/** A statement writes the slots of a `bytes` or `string` one after another. */
const oncePerStop = ({ stops }: DebuggedTransaction, steps: readonly number[]): number[] =>
  steps.filter((step, index) => {
    const before = steps[index - 1];
    return before === undefined || stops.indexAt(before) !== stops.indexAt(step);
  });
