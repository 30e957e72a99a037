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
    const { frame, pc: offset } = this.recording.at(step);
    const program = this.programOf(frame);
    const pc = this.#placeOf(step, frame, offset);
    const statement = program && this.numbers.at(program, pc);
    if (!statement) return undefined;
    // The optimizer lets several statements call code of the compiler that has the place of one of them.
    if (program.optimizer === true && this.calls.isHelper[step] === 1) return undefined;
    const own = this.calls.calls[this.calls.callOf[step] ?? 0]?.function;
    return functionsOf(program).isForeign(own, pc) ? undefined : statement;
  }

  /**
   * Offset of the instruction that has the place of a step. The compiler gives the target of the jump of `if (…) continue;` the place of
   * `continue`; where the jump is not taken, its own place counts.
   */
  #placeOf(step: number, frame: number, pc: number): number {
    const jump = followingJump(this.recording.frames[frame]?.context.code, pc);
    if (jump === undefined || step + 2 >= this.recording.steps) return pc;
    return this.recording.at(step + 2).pc === jump + 1 ? jump : pc;
  }
}

const [PUSH1, PUSH4, JUMPI] = [0x60, 0x63, 0x57];

/** Offset of the conditional jump that follows the instruction which pushes its target. */
function followingJump(code: Uint8Array | undefined, offset: number): number | undefined {
  const op = code?.[offset] ?? 0;
  if (op < PUSH1 || op > PUSH4) return undefined;
  const next = offset + 2 + op - PUSH1;
  return code?.[next] === JUMPI ? next : undefined;
}
