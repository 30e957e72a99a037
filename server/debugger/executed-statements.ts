import { LineNumbers } from './line-numbers';
import type { Program } from './program';
import type { Recording } from './recording';
import type { SourceCalls } from './source-calls';
import { functionsOf } from './source-functions';

/** The statements that a recording executes. Code that functions share has the place of one of them: it is left out in the others. */
export class ExecutedStatements {
  constructor(
    private readonly recording: Recording,
    private readonly calls: SourceCalls,
    private readonly programOf: (frame: number) => Program | undefined,
    readonly numbers = new LineNumbers(),
  ) {}

  at(step: number): ReturnType<LineNumbers['at']> {
    const { frame, pc } = this.recording.at(step);
    const program = this.programOf(frame);
    const statement = program && this.numbers.at(program, pc);
    if (!statement) return undefined;
    // The optimizer lets several statements call code of the compiler that has the place of one of them.
    if (program.optimizer === true && this.calls.isHelper[step] === 1) return undefined;
    const own = this.calls.calls[this.calls.callOf[step] ?? 0]?.function;
    return functionsOf(program).isForeign(own, pc) ? undefined : statement;
  }
}
