import { LIMITS } from '../api/limits';
import type { FrameEnd } from './evm/execution';
import type { Frame, FrameContext } from './evm/frame';
import { HashedKeys } from './hashed-keys';
import { Machine, type Store } from './evm/machine';
import type { Environment } from './evm/environment';
import { beginTransaction, gasUsed } from './evm/transaction';
import type { EmittedLog, Prestate, World } from './evm/world';

/** A call frame of a recording. Steps are counted from 0 over the whole transaction. */
export interface RecordedFrame {
  /** Index of the caller's frame; undefined for the frame of the transaction. */
  readonly parent: number | undefined;
  readonly context: FrameContext;
  readonly firstStep: number;
  /** The step after its last one. */
  endStep: number;
  end: FrameEnd | undefined;
}

export interface RecordedStore extends Store {
  readonly step: number;
  readonly frame: number;
}

export interface RecordedLog extends EmittedLog {
  readonly step: number;
  readonly frame: number;
}

/** The recording has more steps than the service keeps. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** Instructions between two checkpoints, at the least. */
const CHECKPOINT_STEPS = 4_096;
/** Instructions that the copy of one word is worth: large states have fewer checkpoints. */
const STEPS_PER_WORD = 2;
const FIRST_CAPACITY = 16_384;

/**
 * The execution of a transaction: where each step is, what it changed, and the state of any step. States are not stored: a copy of the
 * machine from an earlier checkpoint executes the steps between again.
 */
export class Recording {
  readonly frames: RecordedFrame[] = [];
  readonly stores: RecordedStore[] = [];
  readonly logs: RecordedLog[] = [];
  readonly hashes = new HashedKeys();
  readonly #machine: Machine;
  readonly #checkpoints: Machine[] = [];
  #pcs = new Uint32Array(FIRST_CAPACITY);
  #frameOf = new Uint32Array(FIRST_CAPACITY);
  #gas = new Float64Array(FIRST_CAPACITY);
  #heights = new Uint16Array(FIRST_CAPACITY);
  #steps = 0;

  constructor(environment: Environment, prestate: Prestate) {
    this.#machine = Machine.create(environment, prestate, {
      step: (frame) => {
        this.#step(frame);
      },
      enter: ({ index, context }) => {
        const parent = this.#machine.frames.at(-2)?.index;
        const firstStep = this.#steps;
        this.frames[index] = { parent, context, firstStep, endStep: firstStep, end: undefined };
      },
      leave: ({ index }, end) => {
        Object.assign(this.frames[index] ?? {}, { end, endStep: this.#steps });
      },
      store: ({ index }, store) => this.stores.push({ ...store, ...this.#place(index) }),
      emit: ({ index }, log) => this.logs.push({ ...log, ...this.#place(index) }),
    });
  }

  /** Of the instruction that is being executed. */
  #place(frame: number): { step: number; frame: number } {
    return { step: this.#steps - 1, frame };
  }

  /**
   * Executes the transaction, with a pause after each slice of steps.
   * @throws TooManySteps; UnknownResult where the recording lacks an input of the execution
   */
  *work(): Generator<undefined, void> {
    const machine = this.#machine;
    beginTransaction(machine);
    let next = 0;
    let goesOn = machine.frames.length > 0;
    while (goesOn) {
      if (this.#steps >= next) {
        this.#checkpoints.push(machine.clone());
        next = this.#steps + Math.max(CHECKPOINT_STEPS, machine.weight * STEPS_PER_WORD);
        yield;
      }
      goesOn = machine.step();
    }
  }

  #step(frame: Frame): void {
    const { pc, index, gas, stack } = frame;
    const step = this.#steps;
    if (step >= LIMITS.recordedSteps) {
      throw new TooManySteps(`the transaction executes more than ${LIMITS.recordedSteps} steps`);
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

  get steps(): number {
    return this.#steps;
  }

  /** Gas that the transaction pays for. @param floor least that its data costs (EIP-7623) */
  gasUsed(floor: number): number {
    return gasUsed(this.#machine, floor);
  }

  /** How the transaction ended. */
  get end(): FrameEnd | undefined {
    return this.#machine.end;
  }

  /** The state after the transaction, before its fees are settled. */
  get world(): World {
    return this.#machine.world;
  }

  /** Logs that were not reverted. */
  get emitted(): readonly EmittedLog[] {
    return this.#machine.world.logs;
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

  /** The machine before it executes a step; a copy. @throws RangeError */
  stateAt(step: number): Machine {
    this.at(step);
    const nearest = this.#checkpoints.findLast(({ steps }) => steps <= step);
    if (!nearest) throw new RangeError(`there is no state before step ${step}`);
    const machine = nearest.clone();
    while (machine.steps < step) machine.step();
    return machine;
  }
}
