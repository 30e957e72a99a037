import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSection } from '../fidelity/table';
import type { Comparison, Refusal, Runs } from './outcomes';

const FILE = join(__dirname, '..', 'README.md');
const HEAD = [
  '| suite | version | passed on both | only here | only there | refused on purpose | seconds here | seconds there |',
  '| --- | --- | --: | --: | --: | --: | --: | --: |',
];

export interface Row {
  suite: string;
  version: string;
  comparison: Comparison;
  runs: Runs;
  refusals: readonly Refusal[];
}

const keyOf = ({ suite, version }: Pick<Row, 'suite' | 'version'>): string =>
  `| ${suite} | ${version} |`;

function lineOf(row: Row): string {
  const { both, onlyHere, onlyThere, refused } = row.comparison;
  const counts = [both, onlyHere, onlyThere.length, refused.length].join(' | ');
  const { fork, anvil } = row.runs;
  return `${keyOf(row)} ${counts} | ${fork.seconds.toFixed(1)} | ${anvil.seconds.toFixed(1)} |`;
}

/** Writes the table of a run, and below it what was refused and why. */
export function writeClients(rows: readonly Row[]): void {
  const refusals = rows.flatMap(({ suite, comparison, refusals: all }) =>
    all
      .map(({ test, reason }) => ({
        reason,
        tests: comparison.refused.filter((title) => test.test(title)),
      }))
      .filter(({ tests }) => tests.length > 0)
      .map(({ reason, tests }) => `- ${suite}, ${tests.length}: ${reason}`),
  );
  const below = refusals.length > 0 ? ['', 'Refused on purpose:', '', ...refusals] : [];
  writeSection('clients', [...HEAD, ...rows.map(lineOf), ...below]);
}

/** Rows of a run that the table in the file does not have. */
export function missingRows(rows: readonly Pick<Row, 'suite' | 'version'>[]): string[] {
  const text = readFileSync(FILE, 'utf8');
  return rows.map(keyOf).filter((key) => !text.includes(key));
}
