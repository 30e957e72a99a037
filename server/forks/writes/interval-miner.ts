/** Calls back once, after a number of milliseconds. @returns a function that cancels the call */
export type After = (ms: number, callback: () => void) => () => void;

/** Mines blocks at an interval in seconds of the wall clock. */
export class IntervalMiner {
  #seconds: number | undefined;
  #isMining = false;
  #cancel: () => void = () => undefined;

  /**
   * @param mine mines a block
   * @param onFailure called with the reason if a block could not be mined; mining stops until the interval is set again
   */
  constructor(
    private readonly after: After,
    private readonly mine: () => Promise<void>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Starts mining. The first block is mined after one interval.
   * @param seconds between blocks; undefined: none are mined
   */
  start(seconds: number | undefined): void {
    this.stop();
    this.#seconds = seconds;
    if (seconds !== undefined) this.#wait(seconds);
  }

  /** Like `start`, but without effect if the interval is the same. */
  keep(seconds: number | undefined): void {
    if (seconds !== this.#seconds) this.start(seconds);
  }

  stop(): void {
    this.#cancel();
    this.#seconds = undefined;
  }

  #wait(seconds: number): void {
    this.#cancel = this.after(seconds * 1000, () => {
      this.#wait(seconds);
      // A slow engine mines one block at a time.
      if (!this.#isMining) void this.#mineOne();
    });
  }

  async #mineOne(): Promise<void> {
    this.#isMining = true;
    try {
      await this.mine();
    } catch (error) {
      this.#cancel();
      this.onFailure(error);
    } finally {
      this.#isMining = false;
    }
  }
}
