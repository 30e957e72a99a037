import type { FrameEnd } from '../../evm/interpreter/execution';
import type { Machine } from '../../evm/interpreter/machine';
import { OPCODES } from '../../evm/interpreter/opcodes';
import type { ForgeCall } from './forge-output';
import type { ForgeStep, StepLists } from './step-lists';

/** What the machine is corrected by after an instruction. */
interface Correction {
  /** Frames that ended, by their reasons, innermost first. */
  halts?: string[];
  top?: bigint;
  gas?: number;
  /** A slot that was read. */
  read?: { address: string; slot: bigint; value: bigint };
}

const NO_BYTES = new Uint8Array(0);
/** What forge returns for a call whose revert was expected. */
export const EXPECTED_REVERT = new Uint8Array(8_192);
const SLOAD = 0x54;
/** Instructions whose result is from outside of the code: environment, balances, codes, storage, gas, and the outcome of calls. */
const OUTSIDE = new Set([
  0x31, 0x32, 0x33, 0x34, 0x3a, 0x3b, 0x3d, 0x3f, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47,
  0x48, 0x49, 0x4a, 0x54, 0x5a, 0x5c, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa,
]);

/**
 * Compares each step of an execution with that of forge. What an instruction reads from outside of the code is taken from forge; any other
 * difference is noted. A copy that executes again is corrected in the same way.
 */
export class StepComparison {
  /** The first difference that forge's view of the outside does not explain; undefined for none. */
  difference: string | undefined;
  /** Steps that were compared. */
  compared = 0;
  /** Slots whose value was another one than known. */
  readSlots = 0;
  /** Frames in which an instruction gave what the rules do not give here. */
  readonly corrected = new Set<number>();
  readonly #corrections = new Map<number, Correction>();
  /** Steps that each frame has executed. */
  readonly #executed = new Map<number, number>();
  #known = 0;
  /** Frame of the instruction that is executed; -1 between them. */
  #current = 0;

  /** @param callOf of a frame; undefined where forge wrote no steps of it */
  constructor(
    private readonly lists: StepLists,
    private readonly callOf: (frame: number) => ForgeCall | undefined,
  ) {}

  /** What the caller of a call sees that ended. */
  endSeen(parent: number, end: FrameEnd): FrameEnd | undefined {
    const executed = this.#executed.get(parent) ?? 0;
    const next = this.#at(parent, executed + (this.#current === parent ? 1 : 0));
    if (!next) return undefined;
    const succeeded = next.top !== 0n;
    if (succeeded === (end.kind === 'returned')) return undefined;
    return succeeded
      ? { kind: 'returned', output: EXPECTED_REVERT }
      : { kind: 'reverted', output: end.output };
  }

  after(machine: Machine, step: number): void {
    if (step < this.#known) {
      const known = this.#corrections.get(step);
      if (known) correct(machine, known);
      return;
    }
    this.#known = step + 1;
    const executing = this.#current;
    const ordinal = this.#executed.get(executing) ?? 0;
    const before = this.#at(executing, ordinal);
    this.#executed.set(executing, ordinal + 1);
    this.#current = -1;
    const correction = this.#ends(machine);
    const frame = machine.frames.at(-1);
    this.#current = frame?.index ?? -1;
    const expected = frame && this.#at(frame.index, this.#executed.get(frame.index) ?? 0);
    if (frame && expected) {
      this.compared++;
      this.#compare(frame, expected, step, before, frame.index === executing, correction);
    }
    if (Object.keys(correction).length === 0) return;
    this.#corrections.set(step, correction);
    correct(machine, { ...correction, halts: [] });
  }

  #at(frame: number, index: number): ForgeStep | undefined {
    const call = this.callOf(frame);
    return call && this.lists.at(call.trace.steps, index);
  }

  /** Ends the frames of which forge executed no more. */
  #ends(machine: Machine): Correction {
    const halts: string[] = [];
    for (let frame = machine.frames.at(-1); frame; frame = machine.frames.at(-1)) {
      const call = this.callOf(frame.index);
      if (!call || this.#at(frame.index, this.#executed.get(frame.index) ?? 0)) break;
      const reason = call.trace.status ?? 'halted';
      this.corrected.add(frame.index);
      machine.leave({ kind: 'halted', output: NO_BYTES, reason });
      halts.push(reason);
    }
    return halts.length > 0 ? { halts } : {};
  }

  #compare(
    frame: Machine['frames'][number],
    expected: ForgeStep,
    step: number,
    before: ForgeStep | undefined,
    isSameFrame: boolean,
    correction: Correction,
  ): void {
    const { pc, height, top, gas } = expected;
    const { stack } = frame;
    const own = stack.at(-1) ?? 0n;
    if (frame.pc !== pc || stack.length !== height) {
      this.difference ??= `step ${step + 1}: forge is at byte ${pc} with ${height} words on the stack, the recording at byte ${frame.pc} with ${stack.length}`;
    } else if (own !== top) {
      correction.top = top;
      this.corrected.add(frame.index);
      const isOutside = !isSameFrame || OUTSIDE.has(before?.op ?? 0);
      if (!isOutside) {
        this.difference ??= `step ${step}: ${OPCODES[before?.op ?? 0]?.name ?? 'an instruction'} gives another word than in forge`;
      }
    }
    if (isSameFrame && before?.op === SLOAD && own !== top) {
      this.readSlots++;
      correction.read = { address: frame.context.address, slot: before.top, value: top };
    }
    if (frame.gas !== gas) correction.gas = gas;
  }
}

function correct(machine: Machine, { halts = [], top, gas, read }: Correction): void {
  for (const reason of halts) machine.leave({ kind: 'halted', output: NO_BYTES, reason });
  const frame = machine.frames.at(-1);
  if (!frame) return;
  if (top !== undefined) {
    frame.stack.pop();
    frame.stack.push(top);
  }
  if (gas !== undefined) frame.gas = gas;
  if (read) machine.world.setStorage(read.address, read.slot, read.value);
}
