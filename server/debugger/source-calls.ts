import type { Program } from './program';
import type { Recording } from './recording';

/** A call as the source has it: of a contract, or of a function inside a contract. */
export interface SourceCall {
  readonly kind: 'external' | 'internal';
  /** Index of the call frame that executes it. */
  readonly frame: number;
  /** Index of the calling call; undefined for the transaction. */
  readonly parent: number | undefined;
  /** 0 for the transaction. */
  readonly depth: number;
  readonly firstStep: number;
  /** The step after its last one. */
  endStep: number;
}

/** The calls of a recording, and the innermost call of each step. */
export interface SourceCalls {
  readonly calls: readonly SourceCall[];
  /** Index of the innermost call by step. */
  readonly callOf: Uint32Array;
}

interface OpenCall {
  readonly index: number;
  /** Offset after the jump that made the call; undefined for an external call. */
  readonly returnOffset: number | undefined;
}

const PAUSE_STEPS = 16_384;

/**
 * Finds the internal calls by the jump markers of the source maps. Optimised code lacks some markers: a return also ends the calls that it
 * skips.
 * @param programOf the source of a frame's code, by the index of the frame
 */
export function* sourceCallsWork(
  recording: Recording,
  programOf: (frame: number) => Program | undefined,
): Generator<undefined, SourceCalls> {
  const calls: SourceCall[] = [];
  const callOf = new Uint32Array(recording.steps);
  const open = new Map<number, OpenCall[]>();
  const begin = (frame: number, parent: number | undefined, firstStep: number): number => {
    const kind = recording.frames[frame]?.firstStep === firstStep ? 'external' : 'internal';
    const depth = parent === undefined ? 0 : (calls[parent]?.depth ?? 0) + 1;
    const { endStep = firstStep } = recording.frames[frame] ?? {};
    return calls.push({ kind, frame, parent, depth, firstStep, endStep }) - 1;
  };
  for (let step = 0; step < recording.steps; step++) {
    if (step % PAUSE_STEPS === 0) yield;
    const { frame, pc } = recording.at(step);
    let stack = open.get(frame);
    if (!stack) {
      const caller = recording.frames[frame]?.parent;
      const parent = caller === undefined ? undefined : open.get(caller)?.at(-1)?.index;
      stack = [{ index: begin(frame, parent, step), returnOffset: undefined }];
      open.set(frame, stack);
    }
    const top = stack.at(-1)?.index ?? 0;
    callOf[step] = top;
    const jump = programOf(frame)?.map.jumpAt(pc);
    if (jump === undefined || step + 1 >= recording.steps) continue;
    const next = recording.at(step + 1);
    // A jump that failed ends its frame.
    if (next.frame !== frame) continue;
    if (jump === 'into') {
      stack.push({ index: begin(frame, top, step + 1), returnOffset: pc + 1 });
      continue;
    }
    const caller = stack.findLastIndex(({ returnOffset }) => returnOffset === next.pc);
    const kept = caller > 0 ? caller : Math.max(1, stack.length - 1);
    for (const { index } of stack.splice(kept)) {
      const call = calls[index];
      if (call) call.endStep = step + 1;
    }
  }
  return { calls, callOf };
}
