/** A clock that only the test moves. */
export class TestClock {
  now = 0;
  #timers: { at: number; callback: () => void }[] = [];

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  get timers(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.now = Math.max(this.now, next.at);
      next.callback();
    }
    this.now = end;
  }
}
