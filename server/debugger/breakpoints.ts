import { toWord } from '../ethereum/quantity';
import type { FindRequest, Found } from '../api/recording';
import type { DebuggedTransaction } from './debugged-transaction';
import { failedSteps } from './failures';
import { slotKey } from './recording';

/** A breakpoint with the steps at which it may stop. */
export interface Breakpoint {
  /** Undefined for failures. */
  readonly id: number | undefined;
  readonly reason: Found['reason'];
  /** Ascending. */
  readonly steps: ArrayLike<number>;
  /** What happens at one of the steps, in words. */
  readonly text: (step: number) => string;
  readonly condition?: string | undefined;
  readonly hits?: number | undefined;
  readonly message?: string | undefined;
}

/** All breakpoints of a search. */
export function breakpointsOf(debugged: DebuggedTransaction, request: FindRequest): Breakpoint[] {
  const { lines, functions, instructions, slots, events, failures } = request;
  const found: Breakpoint[] = [
    ...lines.map(({ id, condition, hits, message, ...line }) => ({
      ...{ id, condition, hits, message, reason: 'line' as const, text: () => '' },
      steps: debugged.stops.stepsOf(line),
    })),
    ...functions.map(({ id, name, condition, hits }) => ({
      ...{ id, condition, hits, reason: 'function' as const, text: () => name },
      steps: functionSteps(debugged, name),
    })),
    ...instructions.map(({ id, contract, pc }) => ({
      ...{ id, reason: 'instruction' as const, text: () => '' },
      steps: instructionSteps(debugged, contract, pc),
    })),
    ...slots.map((slot) => dataBreakpoint(debugged, slot)),
    ...events.map((event) => eventBreakpoint(debugged, event)),
  ];
  if (failures !== 'none') {
    found.push({
      ...{ id: undefined, reason: 'failure', steps: failedSteps(debugged, failures) },
      text: (step) => debugged.failureOf(debugged.recording.at(step).frame) ?? '',
    });
  }
  return found;
}

/** The first stop in each call of a function; its first step if it has no lines. */
function functionSteps(debugged: DebuggedTransaction, name: string): number[] {
  const steps: number[] = [];
  for (const [index, { frame, firstStep, endStep }] of debugged.calls.calls.entries()) {
    if (firstStep === endStep) continue;
    const own = debugged.functionOf(index);
    if (own === '' || !name.endsWith(own)) continue;
    const code = debugged.codeOf(frame);
    const full = code ? `${debugged.nameOf(code)}.${own}` : own;
    if (name === own || name === full) steps.push(debugged.stops.firstIn(index) ?? firstStep);
  }
  return steps.sort((a, b) => a - b);
}

function instructionSteps(
  { recording, codes }: DebuggedTransaction,
  contract: number,
  pc: number,
): number[] {
  const steps: number[] = [];
  for (let step = 0; step < recording.steps; step++) {
    const at = recording.at(step);
    if (at.pc === pc && codes.codeOf[at.frame] === contract) steps.push(step);
  }
  return steps;
}

function dataBreakpoint(
  { recording }: DebuggedTransaction,
  { id, address, slot: word, access, condition, hits }: FindRequest['slots'][number],
): Breakpoint {
  const slot = BigInt(word);
  const writes = recording.stores.filter(
    (one) =>
      one.slot === slot &&
      !one.isTransient &&
      recording.frames[one.frame]?.context.address === address,
  );
  const byStep = new Map(writes.map((store) => [store.step, store]));
  const reads = access === 'write' ? [] : (recording.loads.get(slotKey(address, slot)) ?? []);
  const written = access === 'read' ? [] : [...byStep.keys()];
  return {
    ...{ id, reason: 'data', condition, hits },
    steps: [...reads, ...written].sort((a, b) => a - b),
    text: (step) => {
      const write = byStep.get(step);
      if (!write) return `read of slot ${toWord(slot)}`;
      return `slot ${toWord(slot)}: ${toWord(write.before)} -> ${toWord(write.after)}`;
    },
  };
}

function eventBreakpoint(
  debugged: DebuggedTransaction,
  { id, name }: FindRequest['events'][number],
): Breakpoint {
  const names = new Map<number, string>();
  for (const log of debugged.recording.logs) {
    const own = debugged.eventOf(log);
    if (name === '*' || own === name) names.set(log.step, own);
  }
  const text = (step: number): string => names.get(step) ?? '';
  return { id, reason: 'event', steps: [...names.keys()], text };
}
