import type { Environment, PrecompileResult } from './environment';
import { otherPrecompile, type OtherState } from './call-outside-recording';
import type { Execution, FrameEnd } from './execution';
import { Frame, isCreationKind, type FrameContext } from './frame';
import { gasRules, memoryGas, wordsIn, type GasRules } from './gas-rules';
import { Halt } from './halt';
import { instructionsOf, type Executable } from './instructions';
import { pushedBytes } from './opcodes';
import { World, type EmittedLog, type Prestate } from './world';

/** A value of storage that an instruction wrote. */
export interface Store {
  readonly slot: bigint;
  readonly before: bigint;
  readonly after: bigint;
  /** EIP-1153. */
  readonly isTransient: boolean;
}

/** What a machine reports of its execution, in order. */
export interface Observer {
  /** Before an instruction is executed. */
  step?: (frame: Frame) => void;
  enter?: (frame: Frame) => void;
  leave?: (frame: Frame, end: FrameEnd) => void;
  load?: (frame: Frame, slot: bigint, isTransient: boolean) => void;
  store?: (frame: Frame, store: Store) => void;
  emit?: (frame: Frame, log: EmittedLog) => void;
}

const MAX_STACK = 1_024;
/** Beyond what any gas pays for. Bytes. */
const MAX_MEMORY = 2n ** 40n;
const NO_BYTES = new Uint8Array(0);

/**
 * Executes a transaction instruction by instruction (yellow paper, and the EIPs that the parts name). It is deterministic: a copy goes the
 * same way again. Gas alone bounds it.
 */
export class Machine implements Execution {
  readonly rules: GasRules;
  readonly frames: Frame[] = [];
  /** Of the transaction's own frame. */
  end: FrameEnd | undefined;
  readonly #instructions: readonly (Executable | undefined)[];
  #steps = 0;
  #entered = 0;
  #gasLeft = 0;
  #charged = 0;

  private constructor(
    readonly environment: Environment,
    readonly world: World,
    private readonly observer: Observer,
    instructions?: readonly (Executable | undefined)[],
  ) {
    this.rules = gasRules(environment.hardfork);
    this.#instructions = instructions ?? instructionsOf(environment.hardfork);
  }

  static create(environment: Environment, prestate: Prestate, observer: Observer = {}): Machine {
    return new Machine(environment, new World(prestate), observer);
  }

  /** Instructions that were executed. */
  get steps(): number {
    return this.#steps;
  }

  /** Of the transaction, after its end and before refunds. */
  get gasLeft(): number {
    return this.#gasLeft;
  }

  /** Gas that instructions were charged since this machine was made, what they gave to calls included: a measure of their work. */
  get charged(): number {
    return this.#charged;
  }

  /** How many words a copy takes, about. */
  get weight(): number {
    const words = ({ stack, memory }: Frame): number => stack.length + memory.size / 32;
    return this.frames.reduce((sum, frame) => sum + words(frame), this.world.weight);
  }

  /** A copy at the same step, which nobody observes. */
  clone(): Machine {
    const copy = new Machine(this.environment, this.world.clone(), {}, this.#instructions);
    for (const frame of this.frames) copy.frames.push(frame.clone());
    copy.end = this.end;
    copy.#steps = this.#steps;
    copy.#entered = this.#entered;
    copy.#gasLeft = this.#gasLeft;
    return copy;
  }

  /** A machine on the same state without a call, which finds what the recording lacks in another place. */
  aside(other: OtherState): Machine {
    return new Machine(this.environment, this.world.clone(other), {}, this.#instructions);
  }

  /** Executes one instruction. @returns whether there is another */
  step(): boolean {
    const frame = this.frames.at(-1);
    if (!frame) return false;
    this.observer.step?.(frame);
    this.#steps++;
    try {
      this.#execute(frame);
    } catch (error) {
      if (!(error instanceof Halt)) throw error;
      this.leave({ kind: 'halted', output: NO_BYTES, reason: error.reason });
    }
    return this.frames.length > 0;
  }

  /** @throws Halt */
  #execute(frame: Frame): void {
    const { pc, stack } = frame;
    // After its end, code is zeros: STOP.
    const byte = frame.context.code[pc] ?? 0;
    const instruction = this.#instructions[byte];
    if (!instruction) throw new Halt('invalid opcode');
    const { pops, pushes, gas, run } = instruction;
    if (stack.length < pops) throw new Halt('stack underflow');
    if (stack.length - pops + pushes > MAX_STACK) throw new Halt('stack overflow');
    this.charge(frame, gas);
    frame.pc = pc + 1 + pushedBytes(byte);
    run(this, frame, byte);
  }

  charge(frame: Frame, gas: number): void {
    if (frame.gas < gas) throw new Halt('out of gas');
    frame.gas -= gas;
    this.#charged += gas;
  }

  useMemory(frame: Frame, offset: bigint, length: bigint): void {
    if (length === 0n) return;
    const end = offset + length;
    if (end > MAX_MEMORY) throw new Halt('out of gas');
    const words = wordsIn(Number(end));
    const before = frame.memory.size / 32;
    if (words <= before) return;
    this.charge(frame, memoryGas(words) - memoryGas(before));
    frame.memory.grow(Number(end));
  }

  enter(context: FrameContext, mark: number): void {
    const frame = new Frame(this.#entered++, context, mark);
    this.frames.push(frame);
    this.observer.enter?.(frame);
    const { codeAddress, input, gas, code } = context;
    let known = isCreationKind(context.kind)
      ? undefined
      : this.environment.precompile(codeAddress, input, gas);
    const { other } = this.world;
    if (other && known?.isUnrecorded) known = otherPrecompile(codeAddress, input, other);
    if (known) this.#leavePrecompile(frame, known);
    else if (code.length === 0) this.leave({ kind: 'returned', output: NO_BYTES });
  }

  #leavePrecompile(frame: Frame, { gasUsed, output }: PrecompileResult): void {
    if (output === undefined || gasUsed > frame.gas) {
      this.leave({ kind: 'halted', output: NO_BYTES, reason: 'precompile failed' });
      return;
    }
    frame.gas -= gasUsed;
    this.leave({ kind: 'returned', output });
  }

  leave(end: FrameEnd): void {
    const frame = this.frames.pop();
    if (!frame) return;
    if (end.kind !== 'returned') this.world.revertTo(frame.mark);
    if (end.kind === 'halted') frame.gas = 0;
    this.observer.leave?.(frame, end);
    const caller = this.frames.at(-1);
    if (caller) resume(caller, frame, end);
    else {
      this.end = end;
      this.#gasLeft = frame.gas;
    }
  }

  loaded(frame: Frame, slot: bigint, isTransient: boolean): void {
    this.observer.load?.(frame, slot, isTransient);
  }

  store(frame: Frame, slot: bigint, value: bigint): void {
    const { address } = frame.context;
    const before = this.world.storage(address, slot);
    this.world.setStorage(address, slot, value);
    this.observer.store?.(frame, { slot, before, after: value, isTransient: false });
  }

  storeTransient(frame: Frame, slot: bigint, value: bigint): void {
    const { address } = frame.context;
    const before = this.world.transient(address, slot);
    this.world.setTransient(address, slot, value);
    this.observer.store?.(frame, { slot, before, after: value, isTransient: true });
  }

  emit(frame: Frame, log: EmittedLog): void {
    this.world.emit(log);
    this.observer.emit?.(frame, log);
  }
}

/** What the end of a call means for its caller. */
function resume(caller: Frame, { context, gas }: Frame, { kind, output }: FrameEnd): void {
  caller.gas += gas;
  const succeeded = kind === 'returned';
  if (isCreationKind(context.kind)) {
    caller.returned = kind === 'reverted' ? output : NO_BYTES;
    caller.stack.push(succeeded ? BigInt(context.address) : 0n);
    return;
  }
  caller.returned = output;
  const { offset, length } = context.output;
  const copied = Math.min(length, output.length);
  if (copied > 0) caller.memory.copyFrom(output, 0, offset, copied);
  caller.stack.push(succeeded ? 1n : 0n);
}
