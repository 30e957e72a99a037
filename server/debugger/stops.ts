import type { Work } from '../async/slices';
import { ExecutedStatements } from './executed-statements';
import { LineEntries } from './line-entries';
import type { LineNumbers, LineQuery, SourceLine } from './line-numbers';
import type { Program } from './program';
import type { Recording } from './recording';
import type { SourceCalls } from './source-calls';

/** Calls that a step passes over. */
export type StepDepth = 'into' | 'over' | 'out';

const PAUSE_STEPS = 16_384;

/**
 * The steps at which a debugger stops: in each call, the first instruction of each line that is executed, of each further round of a loop on
 * one line, and of the rest of a line after a call that it makes. Stepping forwards and backwards goes along the same list.
 */
export class Stops {
  readonly #byLine = new Map<number, number[]>();

  private constructor(
    /** Ascending. */
    readonly steps: Uint32Array,
    /** Number of the line of each stop. */
    private readonly lineOf: Uint32Array,
    /** 1 for the rest of a line. */
    private readonly rests: Uint8Array,
    readonly numbers: LineNumbers,
    private readonly calls: SourceCalls,
  ) {
    for (const [stop, step] of steps.entries()) {
      if (rests[stop] === 1) continue;
      const line = lineOf[stop] ?? -1;
      const known = this.#byLine.get(line);
      if (known) known.push(step);
      else this.#byLine.set(line, [step]);
    }
  }

  static *work(
    recording: Recording,
    calls: SourceCalls,
    programOf: (frame: number) => Program | undefined,
  ): Work<Stops> {
    const lines = new ExecutedStatements(recording, calls, programOf);
    const steps: number[] = [];
    const lineOf: number[] = [];
    const rests: number[] = [];
    const entries = new LineEntries(recording, calls, programOf);
    let lastStopped = -1;
    for (let step = 0; step < recording.steps; step++) {
      if (step % PAUSE_STEPS === 0) yield PAUSE_STEPS;
      const statement = lines.at(step);
      if (!statement) continue;
      const call = calls.callOf[step] ?? 0;
      const isEntry = entries.isEntry(step, statement);
      if (!isEntry && lastStopped === call) continue;
      steps.push(step);
      lineOf.push(statement.line);
      rests.push(isEntry ? 0 : 1);
      lastStopped = call;
    }
    const lists = [Uint32Array.from(steps), Uint32Array.from(lineOf)] as const;
    return new Stops(...lists, Uint8Array.from(rests), lines.numbers, calls);
  }

  get count(): number {
    return this.steps.length;
  }

  /** The line of a stop by its index. */
  line(stop: number): SourceLine | undefined {
    return this.numbers.lines[this.lineOf[stop] ?? -1];
  }

  /** Steps at which a line is entered, ascending. */
  stepsOf(line: LineQuery): readonly number[] {
    const [first = [], ...others] = this.numbers
      .find(line)
      .map((number) => this.#byLine.get(number) ?? []);
    return others.length === 0 ? first : [...first, ...others.flat()].sort((a, b) => a - b);
  }

  /** The same for every line that is entered. */
  *entered(): Generator<{
    readonly number: number;
    readonly line: SourceLine;
    readonly steps: readonly number[];
  }> {
    for (const [number, steps] of this.#byLine) {
      const line = this.numbers.lines[number];
      if (line) yield { number, line, steps };
    }
  }

  /** Index of the stop at a step, or of the last one before it; -1 if there is none. */
  indexAt(step: number): number {
    let low = -1;
    for (let high = this.steps.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.steps[middle] ?? 0) <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The line that a step belongs to: that of the last stop in the same call; undefined before the first one. */
  lineAt(step: number): SourceLine | undefined {
    const { callOf } = this.calls;
    for (let stop = this.indexAt(step); stop >= 0; stop--) {
      if (callOf[this.steps[stop] ?? 0] === callOf[step]) return this.line(stop);
    }
    return undefined;
  }

  /**
   * The nearest stop after or before a step. A step over a line does not stop at the rest of the same line.
   * @returns the step; undefined at the end or the beginning
   */
  find(step: number, direction: 1 | -1, depth: StepDepth = 'into'): number | undefined {
    const at = this.indexAt(step);
    const isAtStop = this.steps[at] === step;
    const own = depth === 'into' ? 0 : this.depthAt(step);
    let index = direction === 1 ? at + 1 : isAtStop ? at - 1 : at;
    for (; index >= 0 && index < this.steps.length; index += direction) {
      const found = this.steps[index] ?? 0;
      if (depth === 'into') return found;
      const level = this.depthAt(found);
      if (level < own) return found;
      if (depth === 'over' && level === own && this.rests[index] !== 1) return found;
    }
    return undefined;
  }

  /** The first stop in a call; undefined if it has none. */
  firstIn(call: number): number | undefined {
    const { firstStep = 0, endStep = 0 } = this.calls.calls[call] ?? {};
    for (let stop = this.indexAt(firstStep - 1) + 1; stop < this.steps.length; stop++) {
      const step = this.steps[stop] ?? 0;
      if (step >= endStep) return undefined;
      if (this.calls.callOf[step] === call) return step;
    }
    return undefined;
  }

  /** Depth of the innermost call of a step. */
  depthAt(step: number): number {
    return this.calls.calls[this.calls.callOf[step] ?? 0]?.depth ?? 0;
  }
}
