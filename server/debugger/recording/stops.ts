import type { Work } from '../../kernel/async/slices';
import { ExecutedStatements } from './executed-statements';
import { LineEntries } from './line-entries';
import type { LineNumbers, LineQuery, SourceLine, Statement } from './line-numbers';
import type { Program } from './program';
import type { Recording } from './recording';
import type { SourceCalls } from './source-calls';
import { depthAt, ENTRY, REST, RETURN, StopList, type StepDepth } from './stop-list';

const PAUSE_STEPS = 16_384;

/**
 * The steps at which a debugger stops: in each call, the first instruction of each line that is executed, of each further round of a loop on
 * one line, and of the rest of a line after a call that it makes; and the same of each statement.
 */
export class Stops {
  readonly #byLine = new Map<number, number[]>();

  private constructor(
    private readonly lines: StopList,
    /** Number of the line of each stop. */
    private readonly lineOf: Uint32Array,
    private readonly statements: StopList,
    readonly numbers: LineNumbers,
    private readonly calls: SourceCalls,
  ) {
    for (const [stop, step] of lines.steps.entries()) {
      if (lines.kinds[stop] !== ENTRY) continue;
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
    const executed = new ExecutedStatements(recording, calls, programOf);
    const builder = (unit: 'line' | 'statement'): StopsBuilder =>
      new StopsBuilder(unit, calls, new LineEntries(unit, recording, calls, programOf));
    const [lines, statements] = [builder('line'), builder('statement')];
    const lineOf: number[] = [];
    for (let step = 0; step < recording.steps; step++) {
      if (step % PAUSE_STEPS === 0) yield PAUSE_STEPS;
      const at = executed.at(step);
      if (!at) continue;
      if (lines.take(step, at)) lineOf.push(at.line);
      statements.take(step, at);
    }
    return new Stops(
      ...([lines.list(), Uint32Array.from(lineOf), statements.list()] as const),
      ...([executed.numbers, calls] as const),
    );
  }

  /** Steps of the lines, ascending. */
  get steps(): Uint32Array {
    return this.lines.steps;
  }

  get count(): number {
    return this.steps.length;
  }

  /** Memory that they take: 9 bytes for a stop of a line, 5 for one of a statement. */
  get bytes(): number {
    return this.lines.steps.length * 9 + this.statements.steps.length * 5;
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

  /** Index of the stop of a line at a step, or of the last one before it; -1 if there is none. */
  indexAt(step: number): number {
    return this.lines.indexAt(step);
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
   * The nearest stop after or before a step.
   * @returns the step; undefined at the end or the beginning
   */
  find(
    step: number,
    direction: 1 | -1,
    depth: StepDepth = 'into',
    granularity: 'line' | 'statement' = 'line',
  ): number | undefined {
    return (granularity === 'line' ? this.lines : this.statements).find(step, direction, depth);
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

  depthAt(step: number): number {
    return depthAt(this.calls, step);
  }
}

/** Collects the stops of lines, or of statements. */
class StopsBuilder {
  readonly #steps: number[] = [];
  readonly #kinds: number[] = [];
  /** Line or statement of the last stop, plus 1, by call. */
  readonly #last: Uint32Array;
  #lastCall = -1;

  constructor(
    private readonly unit: 'line' | 'statement',
    private readonly calls: SourceCalls,
    private readonly entries: LineEntries,
  ) {
    this.#last = new Uint32Array(calls.calls.length);
  }

  /** Takes the next step. @returns whether it is a stop */
  take(step: number, statement: Statement): boolean {
    const call = this.calls.callOf[step] ?? 0;
    const isEntry = this.entries.isEntry(step, statement);
    if (!isEntry && this.#lastCall === call) return false;
    const own = statement[this.unit] + 1;
    const isRest = this.#last[call] === own;
    this.#steps.push(step);
    this.#kinds.push(isEntry ? ENTRY : isRest ? REST : RETURN);
    this.#last[call] = own;
    this.#lastCall = call;
    return true;
  }

  list(): StopList {
    return new StopList(Uint32Array.from(this.#steps), Uint8Array.from(this.#kinds), this.calls);
  }
}
