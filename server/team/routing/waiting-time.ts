/** How long a request waits for a node beyond the duration of a lease, in milliseconds. */
const EXTRA_MS = 2_000;

/** The time that a request may wait for the node that runs its fork. The work of a node that has taken the request does not count. */
export class WaitingTime {
  #end: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    ms: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#end = now() + ms;
  }

  /** The time until a node that died has lost its forks, and a little more. */
  static afterLease(leaseSeconds: number): WaitingTime {
    return new WaitingTime(leaseSeconds * 1000 + EXTRA_MS);
  }

  /** In milliseconds. */
  get left(): number {
    return Math.max(0, this.#end - this.now());
  }

  get isOver(): boolean {
    return this.now() > this.#end;
  }

  /**
   * Stops counting until the function that it returns is called.
   * @returns function whose parameter is the part of the time since then that counts all the same, in milliseconds
   */
  stop(): (counted?: number) => void {
    const stopped = this.now();
    return (counted = 0) => {
      this.#end += Math.max(0, this.now() - stopped - counted);
    };
  }

  /**
   * Waits for something that cannot be cancelled.
   * @returns what it resolves to; undefined if the time is over before
   */
  async within<T>(task: Promise<T>): Promise<{ value: T } | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.left, undefined);
    });
    try {
      return await Promise.race([task.then((value) => ({ value })), over]);
    } finally {
      clearTimeout(timer);
    }
  }
}
