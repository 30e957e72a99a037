import type { BlockEnvironment, Environment, PrecompileResult } from './environment';
import { otherPrecompile, type OtherState } from './call-outside-recording';
import type { Execution, FrameEnd } from './execution';
import { Frame, isCreationKind, type FrameContext, type GasMeter } from './frame';
import type { Guide } from './guide';
import { gasRules, memoryGas, wordsIn, type GasRules } from './gas-rules';
import type { Answer, Cheats } from './cheats';
import { Halt, type HaltReason } from './halt';
import { instructionsOf, type Executable } from './instructions';
import { MAX_STACK, pushedBytes } from './opcodes';
import { transferLog } from './transfer-log';
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

/** Beyond what any gas pays for. Bytes. */
const MAX_MEMORY = 2n ** 40n;
/** Of a frame that no gas bounds, and of all such frames together. Bytes. */
const MAX_FREE_MEMORY = 8n * 2n ** 20n;
const MAX_FREE_MEMORIES = 64 * 2 ** 20;
/** Below this size memories are not added up. */
const SMALL_MEMORY = 2n ** 16n;
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
  #reservoir = 0;
  /** Gas of instructions that was not charged. */
  #free = 0;

  private constructor(
    public environment: Environment,
    readonly world: World,
    private readonly observer: Observer,
    readonly guide: Guide | undefined,
    instructions?: readonly (Executable | undefined)[],
  ) {
    const rules = gasRules(environment.hardfork);
    // Tests are larger than contracts may be.
    this.rules = environment.cheats
      ? { ...rules, maxCode: Infinity, maxInitCode: Infinity }
      : rules;
    this.#instructions = instructions ?? instructionsOf(environment.hardfork);
  }

  /** @param guide of an execution along a recorded one */
  static create(
    environment: Environment,
    prestate: Prestate,
    observer: Observer = {},
    guide?: Guide,
  ): Machine {
    return new Machine(environment, new World(prestate), observer, guide);
  }

  /** Instructions that were executed. */
  get steps(): number {
    return this.#steps;
  }

  /** Of the transaction, after its end and before refunds. */
  get gasLeft(): number {
    return this.#gasLeft;
  }

  /** Gas of the transaction that is for state alone (EIP-8037). */
  get reservoir(): number {
    return this.#reservoir;
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
    const { environment, guide } = this;
    const copy = new Machine(environment, this.world.clone(), {}, guide, this.#instructions);
    for (const frame of this.frames) copy.frames.push(frame.clone());
    copy.end = this.end;
    copy.#steps = this.#steps;
    copy.#entered = this.#entered;
    copy.#gasLeft = this.#gasLeft;
    copy.#reservoir = this.#reservoir;
    return copy;
  }

  /** A machine on the same state without a call, which finds what the recording lacks in another place. */
  aside(other: OtherState): Machine {
    const environment: Environment & { cheats?: Cheats } = { ...this.environment };
    delete environment.cheats;
    const world = this.world.clone(other);
    return new Machine(environment, world, {}, undefined, this.#instructions);
  }

  /** Changes the block that the execution sees from now on. */
  setBlock(change: Partial<BlockEnvironment>): void {
    this.environment = { ...this.environment, block: { ...this.environment.block, ...change } };
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
    this.environment.cheats?.after(this, this.#steps - 1);
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

  charge(meter: GasMeter, gas: number): void {
    if (meter.isFree) {
      this.#countFree(gas);
      return;
    }
    if (meter.gas < gas) throw new Halt('out of gas');
    meter.gas -= gas;
    this.#charged += gas;
  }

  /** @throws Halt beyond the bound of the guide */
  #countFree(gas: number): void {
    this.#free += gas;
    this.#charged += gas;
    if (this.#free > (this.guide?.mostGas ?? 0)) throw new Halt('out of gas');
  }

  /** Sets gas of the transaction apart for state alone. */
  reserve(gas: number): void {
    this.#reservoir = gas;
  }

  chargeState(meter: GasMeter, gas: number): void {
    const spill = Math.max(0, gas - this.#reservoir);
    this.charge(meter, spill);
    this.#reservoir -= gas - spill;
    meter.stateSpill += spill;
  }

  refillState(meter: GasMeter, gas: number): void {
    const spilled = Math.min(gas, meter.stateSpill);
    meter.gas += spilled;
    meter.stateSpill -= spilled;
    this.#reservoir += gas - spilled;
  }

  useMemory(frame: Frame, offset: bigint, length: bigint): void {
    if (length === 0n) return;
    const end = offset + length;
    if (end > MAX_MEMORY) throw new Halt('out of gas');
    if (frame.isFree && end > SMALL_MEMORY) this.#requireFreeMemory(end);
    const words = wordsIn(Number(end));
    const before = frame.memory.size / 32;
    if (words <= before) return;
    this.charge(frame, memoryGas(words) - memoryGas(before));
    frame.memory.grow(Number(end));
  }

  /** @throws Halt beyond what frames may use that no gas bounds */
  #requireFreeMemory(end: bigint): void {
    const all = this.frames.reduce((sum, { memory }) => sum + memory.size, 0);
    if (end > MAX_FREE_MEMORY || all > MAX_FREE_MEMORIES) throw new Halt('out of gas');
  }

  senderOf({ index, context }: Frame): string {
    return this.environment.cheats?.sender(this.#entered, index, context) ?? context.address;
  }

  createdBy({ index }: Frame, computed: string): string {
    return this.environment.cheats?.created(this.#entered, index, computed) ?? computed;
  }

  enter(given: FrameContext, mark: number): void {
    const cheated = this.environment.cheats?.begin(this.#entered, this.frames.at(-1)?.index, given);
    const { context: begun, answer } = cheated ?? { context: given };
    const frame = this.#open(begun, mark);
    if (answer) {
      this.#leaveAnswered(frame, answer);
      return;
    }
    const { context } = frame;
    if (context.depth === 0) this.chargeState(frame, context.accountGas ?? 0);
    const log = this.rules.logsTransfers ? transferLog(context) : undefined;
    if (log) this.world.emit(log);
    const { codeAddress, input, gas, code } = context;
    let known = isCreationKind(context.kind)
      ? undefined
      : this.environment.precompile(codeAddress, input, gas);
    const { other } = this.world;
    if (other && known?.isUnrecorded) known = otherPrecompile(codeAddress, input, other);
    if (known)
      this.#leavePrecompile(frame, context.depth === 0 ? this.#afterStart(frame, known) : known);
    else if (code.length === 0) this.leave({ kind: 'returned', output: NO_BYTES });
  }

  refuse(context: FrameContext, mark: number, reason: HaltReason): void {
    this.#open(context, mark);
    this.leave({ kind: 'halted', output: NO_BYTES, reason });
  }

  #open(context: FrameContext, mark: number): Frame {
    const index = this.#entered++;
    const led = this.guide?.enter(index, context, this.frames.at(-1), this.world);
    const frame = new Frame(index, led?.context ?? context, mark, this.#reservoir, led?.progress);
    this.frames.push(frame);
    this.observer.enter?.(frame);
    return frame;
  }

  #leaveAnswered(frame: Frame, { gasUsed, effect, ...end }: Answer): void {
    frame.gas = Math.max(0, frame.gas - gasUsed);
    effect?.(this);
    this.leave(end);
  }

  /** The gas of a transaction's own call includes what it was charged before. */
  #afterStart({ gas }: Frame, result: PrecompileResult): PrecompileResult {
    const { transaction } = this.environment;
    const charged = transaction.gas - transaction.intrinsicGas - gas - this.#reservoir;
    const gasUsed = Math.min(gas, Math.max(0, result.gasUsed - charged));
    return { ...result, gasUsed };
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
    const gasLeft = this.guide?.leave(frame, end, this.world);
    if (end.kind !== 'returned') {
      this.world.revertTo(frame.mark);
      this.#reservoir = frame.reservoir;
      // The state that it paid for is not part of the state.
      frame.gas += frame.stateSpill;
      frame.stateSpill = 0;
    }
    if (end.kind === 'halted') frame.gas = 0;
    if (frame.isFree) frame.gas = gasLeft ?? 0;
    this.observer.leave?.(frame, end);
    const caller = this.frames.at(-1);
    if (caller) {
      if (end.kind !== 'returned') this.refillState(caller, frame.context.accountGas ?? 0);
      if (caller.isFree && this.guide) caller.gas = this.guide.gasAfter(caller);
      resume(caller, frame, this.environment.cheats?.endSeen(frame.index, end) ?? end);
    } else {
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
    this.guide?.stored(frame, { slot, before, isTransient: false });
    this.world.setStorage(address, slot, value);
    this.observer.store?.(frame, { slot, before, after: value, isTransient: false });
  }

  storeTransient(frame: Frame, slot: bigint, value: bigint): void {
    const { address } = frame.context;
    const before = this.world.transient(address, slot);
    this.guide?.stored(frame, { slot, before, isTransient: true });
    this.world.setTransient(address, slot, value);
    this.observer.store?.(frame, { slot, before, after: value, isTransient: true });
  }

  emit(frame: Frame, log: EmittedLog): void {
    this.guide?.logged(frame, log);
    this.world.emit(log);
    this.observer.emit?.(frame, log);
  }
}

/** What the end of a call means for its caller. */
function resume(caller: Frame, callee: Frame, { kind, output }: FrameEnd): void {
  const { context, gas, stateSpill } = callee;
  caller.gas += gas;
  caller.stateSpill += stateSpill;
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
