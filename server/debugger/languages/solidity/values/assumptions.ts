import type { Variable } from '../../../../api/recording';

/** All different assumptions as one text. */
export function joined(...assumptions: readonly (string | undefined)[]): string | undefined {
  const all = new Set(assumptions.filter((one) => one !== undefined));
  return all.size === 0 ? undefined : [...all].join('; ');
}

/** Notes what values rest on, where it is not proved, as they are read. */
export class Assumptions {
  #noted = new Set<string>();

  note(assumption: string): void {
    this.#noted.add(assumption);
  }

  /** @returns what `read` returns, and what that rests on */
  of<T>(read: () => T): [T, string | undefined] {
    const outer = this.#noted;
    const own = new Set<string>();
    this.#noted = own;
    try {
      const result = read();
      return [result, joined(...own)];
    } finally {
      this.#noted = outer;
      for (const assumption of own) outer.add(assumption);
    }
  }

  /** Adds what a variable rests on. */
  variable(describe: () => Variable): Variable {
    const [variable, assumption] = this.of(describe);
    return assumption === undefined ? variable : { ...variable, assumption };
  }
}
