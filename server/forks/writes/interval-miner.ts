/** Calls back once, after so many milliseconds. @returns what cancels it */
export type After = (ms: number, callback: () => void) => () => void;

/** Mines a block every so many seconds of the wall clock. */
export class IntervalMiner {
  #seconds: number | undefined;
  #isMining = false;
  #cancel: () => void = () => undefined;

  /**
   * @param mine mines a block
   * @param onFailure told why none could be mined; no more are mined then, until the interval is set again
   */
  constructor(
    private readonly after: After,
    private readonly mine: () => Promise<void>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * The first block comes one interval later.
   * @param seconds between blocks; undefined: none are mined
   */
  start(seconds: number | undefined): void {
    this.stop();
    this.#seconds = seconds;
    if (seconds !== undefined) this.#wait(seconds);
  }

  /** As `start`; nothing changes if this is the interval already. */
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
      // A slow engine gets one block at a time.
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
