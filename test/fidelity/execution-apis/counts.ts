import { VERDICTS, type Judged, type OfficialVerdict } from './verdict';

/** Errors of bare anvil never count as deliberate refusals. */
type ServerKind = 'ours' | 'bare';

interface Row {
  method: string;
  ours: Record<OfficialVerdict, number>;
  bare: Record<OfficialVerdict, number>;
}

const nothing = (): Record<OfficialVerdict, number> => ({
  equal: 0,
  valid: 0,
  refused: 0,
  wrong: 0,
});

/** Counts answers to the standard's cases by method. */
export class OfficialCounts {
  readonly #rows = new Map<string, Row>();

  add(place: ServerKind, method: string, { verdict }: Judged): void {
    const row = this.#rows.get(method) ?? { method, ours: nothing(), bare: nothing() };
    this.#rows.set(method, row);
    row[place][verdict]++;
  }

  /** Rows of Markdown by method, and their sum. */
  table(): string[] {
    const rows = [...this.#rows.values()].sort((a, b) => (a.method < b.method ? -1 : 1));
    const sum: Row = { method: 'all', ours: nothing(), bare: nothing() };
    for (const { ours, bare } of rows) {
      for (const verdict of VERDICTS) {
        sum.ours[verdict] += ours[verdict];
        sum.bare[verdict] += bare[verdict];
      }
    }
    return [
      '| method | requests | equal | valid, other values | refused | wrong | bare anvil: equal | valid | other |',
      '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
      ...[...rows, sum].map(lineOf),
    ];
  }
}

function lineOf({ method, ours, bare }: Row): string {
  const { equal, valid, refused, wrong } = ours;
  const title = method === 'all' ? method : `\`${method}\``;
  const asked = equal + valid + refused + wrong;
  const columns = [title, asked, equal, valid, refused, wrong, bare.equal, bare.valid, bare.wrong];
  return `| ${columns.join(' | ')} |`;
}
