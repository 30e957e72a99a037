import type { SourceMap } from '../sources/source-map';
import type { Program } from './program';
import type { Recording } from './recording';
import type { SourceCalls } from './source-calls';

/** A line of a source file. */
export interface SourceLine {
  /** The compiler's name of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

const DECLARATION =
  /^(abstract|contract|library|interface|function|modifier|constructor|fallback|receive)\b/;
const LONGEST_KEYWORD = 16;
const PAUSE_STEPS = 16_384;

/**
 * The steps at which a debugger stops: in each call, the first instruction of each line that is executed, and of each further round of a
 * loop on one line. Stepping forwards and backwards goes along the same list.
 */
export class Stops {
  private constructor(
    /** Ascending. */
    readonly steps: Uint32Array,
    /** Number of the line of each stop; see `lines`. */
    private readonly lineOf: Uint32Array,
    private readonly lines: readonly SourceLine[],
    private readonly calls: SourceCalls,
  ) {}

  static *work(
    recording: Recording,
    calls: SourceCalls,
    programOf: (frame: number) => Program | undefined,
  ): Generator<undefined, Stops> {
    const numbers = new LineNumbers();
    const steps: number[] = [];
    const lineOf: number[] = [];
    /** By call: the last line and offset. */
    const last = new Map<number, { line: number; pc: number }>();
    for (let step = 0; step < recording.steps; step++) {
      if (step % PAUSE_STEPS === 0) yield;
      const { frame, pc } = recording.at(step);
      const program = programOf(frame);
      const line = program && numbers.at(program, pc);
      if (line === undefined) continue;
      const call = calls.callOf[step] ?? 0;
      const before = last.get(call);
      if (before?.line !== line || pc < before.pc) {
        steps.push(step);
        lineOf.push(line);
      }
      last.set(call, { line, pc });
    }
    return new Stops(Uint32Array.from(steps), Uint32Array.from(lineOf), numbers.lines, calls);
  }

  get count(): number {
    return this.steps.length;
  }

  /** The line of a stop by its index. */
  line(stop: number): SourceLine | undefined {
    return this.lines[this.lineOf[stop] ?? -1];
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
   * The nearest stop after or before a step.
   * @param maxDepth of the stop's call: the depth of the current call steps over, one less steps out
   * @returns the step; undefined at the end or the beginning
   */
  find(step: number, direction: 1 | -1, maxDepth = Infinity): number | undefined {
    const at = this.indexAt(step);
    const isAtStop = this.steps[at] === step;
    let index = direction === 1 ? at + 1 : isAtStop ? at - 1 : at;
    for (; index >= 0 && index < this.steps.length; index += direction) {
      const found = this.steps[index] ?? 0;
      if (this.depthAt(found) <= maxDepth) return found;
    }
    return undefined;
  }

  /** Depth of the innermost call of a step. */
  depthAt(step: number): number {
    return this.calls.calls[this.calls.callOf[step] ?? 0]?.depth ?? 0;
  }
}

/** Numbers the lines of all sources. Looks up each offset of a source map once. */
class LineNumbers {
  readonly lines: SourceLine[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byOffset = new Map<SourceMap, Map<number, number | undefined>>();

  at(program: Program, offset: number): number | undefined {
    const { map } = program;
    const known = this.#byOffset.get(map) ?? new Map<number, number | undefined>();
    this.#byOffset.set(map, known);
    if (known.has(offset)) return known.get(offset);
    const range = map.at(offset);
    const source = range && program.text(range.file);
    // Code that the compiler adds to a function or contract has the range of its declaration.
    const isStatement = source && !DECLARATION.test(source.slice(range.start, LONGEST_KEYWORD));
    const place = isStatement ? source.place(range.start, range.length) : undefined;
    const line = place && this.#numberOf(place.file, place.startLine);
    known.set(offset, line);
    return line;
  }

  #numberOf(file: string, line: number): number {
    const key = `${line} ${file}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.lines.push({ file, line }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
