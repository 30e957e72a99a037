import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSection } from '../fidelity/table';
import type { Comparison, Refusal, Runs } from './outcomes';

const FILE = join(__dirname, '..', 'README.md');
const NAME = 'clients';
const HEAD = [
  '| suite | version | passed on both | only here | only there | refused on purpose | seconds here | seconds there |',
  '| --- | --- | --: | --: | --: | --: | --: | --: |',
];
const REFUSED = 'Refused on purpose:';

export interface Row {
  suite: string;
  version: string;
  comparison: Comparison;
  runs: Runs;
  refusals: readonly Refusal[];
}

const startOf = (suite: string): string => `| ${suite} |`;
const keyOf = ({ suite, version }: Pick<Row, 'suite' | 'version'>): string =>
  `${startOf(suite)} ${version} |`;

function lineOf(row: Row): string {
  const { both, onlyHere, onlyThere, refused } = row.comparison;
  const counts = [both, onlyHere, onlyThere.length, refused.length].join(' | ');
  const { fork, anvil } = row.runs;
  return `${keyOf(row)} ${counts} | ${fork.seconds.toFixed(1)} | ${anvil.seconds.toFixed(1)} |`;
}

const reasonsOf = ({ suite, comparison, refusals }: Row): string[] =>
  refusals
    .map(({ test, reason }) => ({
      reason,
      count: comparison.refused.filter((title) => test.test(title)).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `- ${suite}, ${count}: ${reason}`);

/** Writes the table of a run, and below it the refused tests with the reasons. Suites that did not run keep their rows. */
export function writeClients(rows: readonly Row[]): void {
  const kept = sectionLines().filter(
    (line) => !rows.some(({ suite }) => isOf(suite, line)) && /^(\||- )/.test(line),
  );
  const lines = kept.filter((line) => line.startsWith('|') && !HEAD.includes(line));
  const reasons = kept.filter((line) => line.startsWith('- '));
  const refused = [...reasons, ...rows.flatMap(reasonsOf)];
  const below = refused.length > 0 ? ['', REFUSED, '', ...refused] : [];
  writeSection(NAME, [...HEAD, ...lines, ...rows.map(lineOf), ...below]);
}

const isOf = (suite: string, line: string): boolean =>
  line.startsWith(startOf(suite)) || line.startsWith(`- ${suite}, `);

function sectionLines(): string[] {
  const text = readFileSync(FILE, 'utf8');
  const begin = text.indexOf(`<!-- ${NAME}: begin -->`);
  return text.slice(begin, text.indexOf(`<!-- ${NAME}: end -->`)).split('\n');
}

/** Rows of a run that are not in the table of the file. */
export function missingRows(rows: readonly Pick<Row, 'suite' | 'version'>[]): string[] {
  const text = readFileSync(FILE, 'utf8');
  return rows.map(keyOf).filter((key) => !text.includes(key));
}
