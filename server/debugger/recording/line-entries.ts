import type { Statement } from './line-numbers';
import type { Program } from './program';
import type { Recording } from './recording';
import type { SourceCalls } from './source-calls';
import { functionsOf, type SourceFunction } from './source-functions';

/** What a call has executed. */
interface Visits {
  last: { readonly line: number; readonly pc: number } | undefined;
  /** Step of the last entry, by number of the line. */
  readonly entries: Map<number, number>;
  /** The last step, by offset of the code. */
  readonly executed: Map<number, number>;
  /** The last step, by function whose source has the place of an instruction. */
  readonly left: Map<SourceFunction, number>;
  /** Step of the last entry of any line. */
  newest: number;
}

/** Finds the instructions that enter lines, or statements, in the order of the steps. A line is spoken of for both. */
export class LineEntries {
  /** By call that has not ended. */
  readonly #visits = new Map<number, Visits>();
  #call = 0;

  constructor(
    private readonly unit: 'line' | 'statement',
    private readonly recording: Recording,
    private readonly calls: SourceCalls,
    private readonly programOf: (frame: number) => Program | undefined,
  ) {}

  /** Whether a step enters its line, and is not the rest of it. */
  isEntry(step: number, statement: Statement): boolean {
    const { [this.unit]: line, isLong, isLoop, isCompound } = statement;
    const { pc, frame } = this.recording.at(step);
    const call = this.calls.callOf[step] ?? 0;
    this.#forget(call, step);
    const visits = this.#visits.get(call) ?? newVisits();
    this.#visits.set(call, visits);
    const { last } = visits;
    if (isCompound && this.unit === 'statement') {
      // A jump at the end of a statement with others inside, such as that from a branch over the other one, is not its start.
      if (last?.line === line) visits.last = { line, pc };
      return false;
    }
    visits.last = { line, pc };
    // A line that was not left is entered again by a loop.
    const isSame = last?.line === line && !isLoop;
    const program = this.programOf(frame);
    if (program?.optimizer !== true && program?.viaIR !== true) {
      // The head of a loop over several lines is reached from its increment, which is on the same line.
      return last?.line !== line || (!isSame && pc < last.pc && !isLong);
    }
    const isNew = !isSame && this.#isAgain(visits, { call, pc, line, program });
    if (isNew) {
      visits.entries.set(line, step);
      visits.newest = step;
    }
    visits.executed.set(pc, step);
    const around = functionsOf(program).around(pc);
    if (around) visits.left.set(around, step);
    return isNew;
  }

  /**
   * The optimizer and the IR mix the instructions of lines. A line is entered again when an instruction of it is executed again, or when the function
   * that has it, of which the code may be in several places, was left for another line.
   */
  #isAgain(
    { entries, executed, left, newest }: Visits,
    at: { call: number; pc: number; line: number; program: Program },
  ): boolean {
    const entered = entries.get(at.line);
    if (entered === undefined) return true;
    if ((executed.get(at.pc) ?? -1) >= entered) return true;
    const around = functionsOf(at.program).around(at.pc);
    if (!around || around === this.calls.calls[at.call]?.function) return false;
    return newest > (left.get(around) ?? -1);
  }

  /** Drops what is known of calls that have ended. */
  #forget(call: number, step: number): void {
    if (call === this.#call) return;
    let ended: number | undefined = this.#call;
    while (ended !== undefined && (this.calls.calls[ended]?.endStep ?? 0) <= step) {
      this.#visits.delete(ended);
      ended = this.calls.calls[ended]?.parent;
    }
    this.#call = call;
  }
}

const newVisits = (): Visits => ({
  last: undefined,
  newest: -1,
  entries: new Map(),
  executed: new Map(),
  left: new Map(),
});
