/** Values in seconds. */
export interface ClockState {
  /** Time of the newest block. */
  last: number;
  /** Time by which the clock is ahead of it. */
  ahead: number;
  exact: number | undefined;
  interval: number | undefined;
}

/** Decides the time of a fork's next block. The clock continues from the fork point, and users can change it. Times are in Unix seconds. */
export class ForkClock {
  #last = 0;
  #offset = 0;
  #exact: number | undefined;
  #interval: number | undefined;

  /** @param now wall clock in milliseconds */
  constructor(private readonly now: () => number) {}

  /** Continues from the time of the newest block. */
  resume(timestamp: number): void {
    this.#last = timestamp;
    this.#offset = timestamp - this.#wall();
    this.#exact = undefined;
  }

  get state(): ClockState {
    const ahead = this.#wall() + this.#offset - this.#last;
    return { last: this.#last, ahead, exact: this.#exact, interval: this.#interval };
  }

  /** Restores an earlier state. */
  restore({ last, ahead, exact, interval }: ClockState): void {
    this.#last = last;
    this.#offset = last + ahead - this.#wall();
    this.#exact = exact;
    this.#interval = interval;
  }

  /** The time of the next block: later than the newest one, unless it was set to be equal. */
  next(): number {
    if (this.#exact !== undefined) return this.#exact;
    if (this.#interval !== undefined) return this.#last + this.#interval;
    return Math.max(this.#last + 1, this.#wall() + this.#offset);
  }

  increase(seconds: number): void {
    this.#offset += seconds;
  }

  setNext(timestamp: number): void {
    this.#exact = timestamp;
  }

  set(timestamp: number): void {
    this.#offset = timestamp - this.#wall();
  }

  setInterval(seconds: number | undefined): void {
    this.#interval = seconds;
  }

  #wall(): number {
    return Math.floor(this.now() / 1000);
  }
}
