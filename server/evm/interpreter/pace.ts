import type { Machine } from './machine';

/** Instructions between two pauses. */
const STEPS = 2_048;
/** Gas between two pauses: one instruction may hash or copy megabytes. */
const GAS = 100_000;

/** When an execution pauses for other requests: after many instructions, or after few that work long. */
export class Pace {
  #step: number;
  #gas: number;

  constructor(private readonly machine: Machine) {
    this.#step = machine.steps;
    this.#gas = machine.charged;
  }

  /** Instructions since the last pause, if it is time for one; else 0. */
  due(): number {
    const { steps, charged } = this.machine;
    const done = steps - this.#step;
    if (done < STEPS && charged - this.#gas < GAS) return 0;
    this.#step = steps;
    this.#gas = charged;
    return done;
  }
}
