import { LIMITS } from '../../api/limits';
import { atOnce, type Work } from '../../kernel/async/slices';
import type { FrameEnd } from '../../evm/interpreter/execution';
import type { Frame, FrameContext } from '../../evm/interpreter/frame';
import { HashedKeys } from './hashed-keys';
import type { Guide } from '../../evm/interpreter/guide';
import { Machine, type Observer, type Store } from '../../evm/interpreter/machine';
import type { Environment } from '../../evm/interpreter/environment';
import { Pace } from '../../evm/interpreter/pace';
import { beginTransaction, gasUsed } from '../../evm/interpreter/transaction';
import type { EmittedLog, Prestate, World } from '../../evm/interpreter/world';

/** A call frame of a recording. Steps are counted from 0 over the whole transaction. */
export interface RecordedFrame {
  /** Index of the caller's frame; undefined for the frame of the transaction. */
  readonly parent: number | undefined;
  readonly context: FrameContext;
  readonly firstStep: number;
  /** The step after its last one. */
  endStep: number;
  end: FrameEnd | undefined;
  /** Gas that it returned to its caller. */
  gasLeft: number;
}

export interface RecordedStore extends Store {
  readonly step: number;
  readonly frame: number;
}

export interface RecordedLog extends EmittedLog {
  readonly step: number;
  readonly frame: number;
}

/** The execution exceeds a limit of recordings. */
export class RecordingTooLarge extends Error {
  override readonly name = 'RecordingTooLarge';
}

/** Instructions between two states that are stored, at the least. */
const STATE_STEPS = 2_048;
/** Instructions that the copy of one word is worth: large states are stored less often. */
const STEPS_PER_WORD = 2;
const FIRST_CAPACITY = 16_384;
/** States that are kept because the next one asked for is often near them. */
const RECENT_STATES = 4;
/** Estimates for the bound of memory, in bytes. */
const BYTES = { step: 18, word: 64, frame: 400, store: 200, log: 400, load: 8 } as const;

/** Slots of storage as keys. @param address in lower case */
export const slotKey = (address: string, slot: bigint, isTransient = false): string =>
  `${isTransient ? 'transient ' : ''}${address} ${slot.toString(16)}`;

/**
 * The execution of a transaction: where each step is, what it changed, and the state of any step. Most states are not stored: a copy of the
 * machine from an earlier state executes the steps between again.
 */
export class Recording {
  readonly frames: RecordedFrame[] = [];
  readonly stores: RecordedStore[] = [];
  /** Those that LOG instructions make. */
  readonly logs: RecordedLog[] = [];
  /** Steps that read a slot, ascending, by `slotKey`. */
  readonly loads = new Map<string, number[]>();
  readonly hashes = new HashedKeys();
  /** Slots that were written, by `slotKey`. */
  readonly #stored = new Set<string>();
  readonly #machine: Machine;
  readonly #states: Machine[] = [];
  readonly #recent: Machine[] = [];
  #pcs = new Uint32Array(FIRST_CAPACITY);
  #frameOf = new Uint32Array(FIRST_CAPACITY);
  #gas = new Float64Array(FIRST_CAPACITY);
  #heights = new Uint16Array(FIRST_CAPACITY);
  #steps = 0;
  /** Besides the arrays of steps. */
  #otherBytes = 0;

  /** @param guide of an execution along a recorded one */
  constructor(environment: Environment, prestate: Prestate, guide?: Guide) {
    const observer: Observer = {
      step: (frame) => {
        this.#step(frame);
      },
      enter: ({ index, context }) => {
        const parent = this.#machine.frames.at(-2)?.index;
        const firstStep = this.#steps;
        const open = { endStep: firstStep, end: undefined, gasLeft: 0 };
        this.frames[index] = { parent, context, firstStep, ...open };
        this.#otherBytes += BYTES.frame + context.input.length;
      },
      leave: ({ index, gas }, end) => {
        const left = { end, endStep: this.#steps, gasLeft: gas };
        Object.assign(this.frames[index] ?? {}, left);
        this.#otherBytes += end.output.length;
      },
      load: ({ context }, slot, isTransient) => {
        const key = slotKey(context.address, slot, isTransient);
        const steps = this.loads.get(key);
        if (steps) steps.push(this.#steps - 1);
        else this.loads.set(key, [this.#steps - 1]);
        this.#otherBytes += steps ? BYTES.load : BYTES.store;
      },
      store: ({ index, context }, store) => {
        this.stores.push({ ...store, ...this.#place(index) });
        this.#stored.add(slotKey(context.address, store.slot, store.isTransient));
        this.#otherBytes += BYTES.store;
      },
      emit: ({ index }, log) => {
        this.logs.push({ ...log, ...this.#place(index) });
        this.#otherBytes += BYTES.log + log.data.length;
      },
    };
    this.#machine = Machine.create(environment, prestate, observer, guide);
  }

  /** Of the instruction that is being executed. */
  #place(frame: number): { step: number; frame: number } {
    return { step: this.#steps - 1, frame };
  }

  /**
   * Executes the transaction, with a pause after each slice of steps.
   * @throws RecordingTooLarge; UnknownResult where the recording lacks an input of the execution
   */
  *work(): Work<void> {
    const machine = this.#machine;
    beginTransaction(machine);
    let next = 0;
    let goesOn = machine.frames.length > 0;
    const pace = new Pace(machine);
    while (goesOn) {
      if (this.#steps >= next) {
        const { weight } = machine;
        this.#states.push(machine.clone());
        this.#otherBytes += weight * BYTES.word;
        this.#requireBytes();
        next = this.#steps + Math.max(STATE_STEPS, weight * STEPS_PER_WORD);
      }
      goesOn = machine.step();
      const due = pace.due();
      if (due > 0) yield due;
    }
  }

  #step(frame: Frame): void {
    const { pc, index, gas, stack } = frame;
    const step = this.#steps;
    if (step >= LIMITS.recordedSteps) {
      throw new RecordingTooLarge(
        `the transaction executes more than ${LIMITS.recordedSteps} steps`,
      );
    }
    if (step === this.#pcs.length) this.#grow();
    this.#pcs[step] = pc;
    this.#frameOf[step] = index;
    this.#gas[step] = gas;
    this.#heights[step] = stack.length;
    this.hashes.observe(frame);
    this.#steps++;
  }

  #grow(): void {
    const capacity = this.#pcs.length * 2;
    const larger = <T extends Uint32Array | Uint16Array | Float64Array>(
      target: T,
      source: T,
    ): T => {
      target.set(source);
      return target;
    };
    this.#pcs = larger(new Uint32Array(capacity), this.#pcs);
    this.#frameOf = larger(new Uint32Array(capacity), this.#frameOf);
    this.#gas = larger(new Float64Array(capacity), this.#gas);
    this.#heights = larger(new Uint16Array(capacity), this.#heights);
  }

  #requireBytes(): void {
    if (this.bytes <= LIMITS.recordedBytes) return;
    const megabytes = LIMITS.recordedBytes / 1024 ** 2;
    throw new RecordingTooLarge(`the recording takes more than ${megabytes} MiB of memory`);
  }

  get steps(): number {
    return this.#steps;
  }

  /** The frame of the last step; undefined before the first one. */
  get lastFrame(): number | undefined {
    return this.#steps === 0 ? undefined : this.#frameOf[this.#steps - 1];
  }

  /** Memory that it takes, estimated. */
  get bytes(): number {
    return this.#pcs.length * BYTES.step + this.#otherBytes + this.hashes.bytes;
  }

  /** Gas that the execution has used so far: a measure of its progress. */
  get spent(): number {
    const { environment, frames, gasLeft, reservoir } = this.#machine;
    const left = frames.reduce((sum, { gas }) => sum + gas, gasLeft + reservoir);
    return Math.max(0, environment.transaction.gas - left);
  }

  /** Gas that the transaction pays for. @param floor least that its data costs (EIP-7623) */
  gasUsed(floor: number): number {
    return gasUsed(this.#machine, floor);
  }

  /** How the transaction ended. */
  get end(): FrameEnd | undefined {
    return this.#machine.end;
  }

  get environment(): Environment {
    return this.#machine.environment;
  }

  /** The state after the transaction, before its fees are settled. */
  get world(): World {
    return this.#machine.world;
  }

  /** Logs that were not reverted, those of transfers included (EIP-7708). */
  get emitted(): readonly EmittedLog[] {
    return this.#machine.world.logs;
  }

  /** Whether the execution reads or writes a slot. @param address in lower case */
  touches(address: string, slot: bigint): boolean {
    const key = slotKey(address, slot);
    return this.loads.has(key) || this.#stored.has(key);
  }

  /** Program counter, frame and remaining gas before a step. @throws RangeError */
  at(step: number): { pc: number; frame: number; gas: number } {
    if (!Number.isInteger(step) || step < 0 || step >= this.#steps) {
      throw new RangeError(`the step is ${step}; the recording has steps 0 to ${this.#steps - 1}`);
    }
    const pc = this.#pcs[step] ?? 0;
    return { pc, frame: this.#frameOf[step] ?? 0, gas: this.#gas[step] ?? 0 };
  }

  /** Words on the stack before a step. @throws RangeError */
  heightAt(step: number): number {
    this.at(step);
    return this.#heights[step] ?? 0;
  }

  /** The machine before it executes a step; it must not be changed. @throws RangeError */
  stateAt(step: number): Machine {
    return atOnce(this.stateWork(step));
  }

  /** The same as interruptible work. */
  *stateWork(step: number): Work<Machine> {
    this.at(step);
    const nearest = this.#nearestState(step);
    if (nearest.steps === step) return nearest;
    const machine = nearest.clone();
    yield* advanceWork(machine, step);
    this.#recent.unshift(machine);
    if (this.#recent.length > RECENT_STATES) this.#recent.pop();
    return machine;
  }

  /**
   * Shows the machine before it executes some steps, ascending; it must be neither changed nor kept.
   * @throws RangeError
   */
  *visitWork(steps: readonly number[], visit: (machine: Machine) => void): Work<void> {
    let machine: Machine | undefined;
    for (const step of steps) {
      this.at(step);
      const nearest = this.#nearestState(step);
      if (!machine || nearest.steps > machine.steps) machine = nearest.clone();
      yield* advanceWork(machine, step);
      visit(machine);
    }
  }

  #nearestState(step: number): Machine {
    let nearest = this.#states.findLast(({ steps }) => steps <= step);
    for (const one of this.#recent) {
      if (one.steps <= step && one.steps > (nearest?.steps ?? -1)) nearest = one;
    }
    if (!nearest) throw new RangeError(`there is no state before step ${step}`);
    return nearest;
  }
}

function* advanceWork(machine: Machine, step: number): Work<void> {
  const pace = new Pace(machine);
  while (machine.steps < step) {
    machine.step();
    const due = pace.due();
    if (due > 0) yield due;
  }
}
