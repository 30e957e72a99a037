/** A generator of pseudorandom numbers from a seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** Returns 0 to `below` - 1. */
  number(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.number(items.length)]!;
  }

  /** True with probability 1 / `times`. */
  once(times: number): boolean {
    return this.number(times) === 0;
  }
}
