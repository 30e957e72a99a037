import assert from 'node:assert/strict';
import { VERBOSE } from './run-length';
import { isSince, type PlannedHardfork } from './reference/plan';
import { VIEWS, type Judgement, type Verdict, type View } from './verdict';

export interface Row {
  source: string;
  hardfork: PlannedHardfork;
  debug: boolean;
}

export interface Counts {
  transactions: number;
  right: number;
  marked: number;
  wrong: number;
}

/** Counts judgements by source, hardfork and debug API. */
export class Tally {
  readonly #rows = new Map<string, Row & Counts>();
  /** Descriptions of judgements that are not right. */
  readonly notes: { verdict: Verdict; text: string }[] = [];

  /** @param judgements of a transaction by view, or of the state of a fork */
  add(row: Row, name: string, judgements: Partial<Record<View, Judgement>>): void {
    const counts = this.#countsOf(row);
    counts.transactions++;
    for (const view of VIEWS) {
      const judgement = judgements[view];
      if (!judgement) continue;
      const { verdict, why } = judgement;
      counts[verdict]++;
      if (verdict === 'right') continue;
      const api = row.debug ? 'with' : 'without';
      const text = `${row.source}, ${row.hardfork}, ${api} debug API, ${name}, ${view}: ${why ?? ''}`;
      this.notes.push({ verdict, text });
    }
  }

  /** Ordered by source as in the run, then hardfork, then debug API. */
  all(): readonly (Row & Counts)[] {
    const rows = [...this.#rows.values()];
    const sources = rows.map(({ source }) => source);
    return rows.sort(
      (a, b) =>
        sources.indexOf(a.source) - sources.indexOf(b.source) ||
        Number(isSince(a.hardfork, b.hardfork)) - Number(isSince(b.hardfork, a.hardfork)) ||
        Number(a.debug) - Number(b.debug),
    );
  }

  #countsOf(row: Row): Row & Counts {
    const key = `${row.source} ${row.hardfork} ${row.debug}`;
    const known = this.#rows.get(key) ?? { ...row, transactions: 0, right: 0, marked: 0, wrong: 0 };
    this.#rows.set(key, known);
    return known;
  }
}

/** Prints the judgements that are not right. @throws AssertionError if one is silently wrong */
export function report(tally: Tally, from: number): void {
  const notes = tally.notes.slice(from);
  const of = (wanted: Verdict): string[] =>
    notes.filter(({ verdict }) => verdict === wanted).map(({ text }) => text);
  if (VERBOSE) for (const text of of('marked')) console.log(`marked: ${text}`);
  const wrong = of('wrong');
  for (const text of wrong) console.log(`silently wrong: ${text}`);
  assert.equal(wrong.length, 0, `${wrong.length} silently wrong, the first: ${wrong[0]}`);
}
