import type { Work } from '../../kernel/async/slices';
import type { Program } from './program';
import type { Recording } from './recording';
import { functionsOf, type SourceFunction } from './source-functions';

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
  /** Undefined if the source does not say. */
  function: SourceFunction | undefined;
  /** The first step of its function, where its arguments are on the stack; undefined if no jump leads there. */
  entryStep: number | undefined;
}

/** The calls of a recording, and the innermost call of each step. */
export interface SourceCalls {
  readonly calls: readonly SourceCall[];
  /** Index of the innermost call by step. */
  readonly callOf: Uint32Array;
  /** By step: 1 in a function that the compiler generated. */
  readonly isHelper: Uint8Array;
}

interface OpenCall {
  /** For a function that the compiler generated: of its caller. */
  readonly index: number;
  /** Offset after the jump that made the call; undefined for an external call. */
  readonly returnOffset: number | undefined;
  readonly isGenerated: boolean;
  readonly isHelper: boolean;
}

const INLINE: ReadonlySet<string> = new Set(['fallback', 'receive']);
const PAUSE_STEPS = 16_384;

/** What is known of the frames of a recording, by their index. */
export interface FrameFacts {
  /** The source of its code. */
  readonly programOf: (frame: number) => Program | undefined;
  /** Name of the function that its caller asked for; `fallback` and `receive` for none, undefined if it is not known. */
  readonly selectedOf: (frame: number) => string | undefined;
}

/**
 * Finds the internal calls by the jump markers of the source maps. Functions that the compiler generated belong to their callers, and so does
 * the code that selects a function of a contract. Optimised code lacks some markers: a return also ends the calls that it skips.
 */
export function* sourceCallsWork(recording: Recording, frames: FrameFacts): Work<SourceCalls> {
  const finder = new CallFinder(recording, frames);
  for (let step = 0; step < recording.steps; step++) {
    if (step % PAUSE_STEPS === 0) yield PAUSE_STEPS;
    finder.step(step);
  }
  finder.addWithoutCode(0);
  return finder;
}

class CallFinder implements SourceCalls {
  readonly calls: SourceCall[] = [];
  readonly callOf: Uint32Array;
  readonly isHelper: Uint8Array;
  readonly #open = new Map<number, OpenCall[]>();
  /** Calls of contracts that have executed the body of a function. */
  readonly #entered = new Set<number>();
  /** Frames before it are in `calls`. */
  #nextFrame = 0;

  constructor(
    private readonly recording: Recording,
    private readonly frames: FrameFacts,
  ) {
    this.callOf = new Uint32Array(recording.steps);
    this.isHelper = new Uint8Array(recording.steps);
  }

  step(step: number): void {
    const { frame, pc } = this.recording.at(step);
    const stack = this.#open.get(frame) ?? this.#enter(frame, step);
    const top = stack.at(-1)?.index ?? 0;
    this.callOf[step] = top;
    if (stack.at(-1)?.isHelper) this.isHelper[step] = 1;
    this.addWithoutCode(step + 1, top);
    const program = this.frames.programOf(frame);
    if (program && stack.length === 1) this.#nameInline(top, program, pc);
    const jump = program?.map.jumpAt(pc);
    if (!program || jump === undefined || step + 1 >= this.recording.steps) return;
    const next = this.recording.at(step + 1);
    // A jump that failed ends its frame.
    if (next.frame !== frame) return;
    if (jump === 'into') {
      const called = functionsOf(program).at(next.pc);
      const isGenerated = !called || this.#isSelected(stack, called, step + 1);
      const index = isGenerated ? top : this.#begin(frame, top, step + 1, called);
      stack.push({ index, returnOffset: pc + 1, isGenerated, isHelper: !called });
      return;
    }
    const caller = stack.findLastIndex(({ returnOffset }) => returnOffset === next.pc);
    const kept = caller > 0 ? caller : Math.max(1, stack.length - 1);
    for (const { index, isGenerated } of stack.splice(kept)) {
      const call = this.calls[index];
      if (call && !isGenerated) call.endStep = step + 1;
    }
  }

  #enter(frame: number, step: number): OpenCall[] {
    const caller = this.recording.frames[frame]?.parent;
    const parent = caller === undefined ? undefined : this.#open.get(caller)?.at(-1)?.index;
    const index = this.#begin(frame, parent, step, undefined);
    const program = this.frames.programOf(frame);
    const selected = this.frames.selectedOf(frame);
    const call = this.calls[index];
    if (call && program && selected && !INLINE.has(selected)) {
      call.function = functionsOf(program).named(selected);
    }
    const stack = [{ index, returnOffset: undefined, isGenerated: false, isHelper: false }];
    this.#open.set(frame, stack);
    this.#nextFrame = frame + 1;
    return stack;
  }

  /** Nothing jumps into the functions that receive other calls: they are part of the code that runs first. */
  #nameInline(index: number, program: Program, pc: number): void {
    const call = this.calls[index];
    if (!call || call.function || this.#entered.has(index)) return;
    const around = functionsOf(program).around(pc);
    // The code that selects a function has the range of a whole one.
    const isInside = (program.map.at(pc)?.length ?? 0) < (around?.range.length ?? 0);
    if (!around || !isInside) return;
    this.#entered.add(index);
    if (INLINE.has(around.name)) call.function = around;
  }

  /** Adds calls that execute no code. @param step the one after them */
  addWithoutCode(step: number, parent?: number): void {
    const { frames } = this.recording;
    for (;;) {
      const next = frames[this.#nextFrame];
      if (next?.firstStep !== step || next.endStep !== step) return;
      this.#begin(this.#nextFrame, parent, step, undefined);
      this.#nextFrame++;
    }
  }

  #begin(
    frame: number,
    parent: number | undefined,
    firstStep: number,
    called: SourceFunction | undefined,
  ): number {
    const kind = called ? 'internal' : 'external';
    const depth = parent === undefined ? 0 : (this.calls[parent]?.depth ?? 0) + 1;
    const { endStep = firstStep } = this.recording.frames[frame] ?? {};
    const entryStep = called ? firstStep : undefined;
    const facts = { kind, frame, parent, depth, firstStep, endStep, entryStep } as const;
    return this.calls.push({ ...facts, function: called }) - 1;
  }

  /** Whether a contract jumps into the function that its caller asked for. */
  #isSelected(stack: readonly OpenCall[], called: SourceFunction, entryStep: number): boolean {
    const [root, ...inner] = stack;
    const call = this.calls[root?.index ?? -1];
    if (!call || call.entryStep !== undefined || !called.isPublic) return false;
    if (!inner.every(({ isGenerated }) => isGenerated)) return false;
    if ((this.frames.selectedOf(call.frame) ?? called.name) !== called.name) return false;
    Object.assign(call, { function: called, entryStep });
    return true;
  }
}
