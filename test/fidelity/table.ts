import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts, Row } from './tally';

const FILE = join(__dirname, '..', 'README.md');
const HEAD = [
  '| source | hardfork | debug API | transactions | views | right | marked | silently wrong |',
  '| --- | --- | --- | --: | --: | --: | --: | --: |',
];

const keyOf = ({ source, hardfork, debug }: Row): string =>
  `| ${source} | ${hardfork} | ${debug ? 'with' : 'without'} |`;

function lineOf(row: Row & Counts): string {
  const { transactions, right, marked, wrong } = row;
  return `${keyOf(row)} ${transactions} | ${right + marked + wrong} | ${right} | ${marked} | ${wrong} |`;
}

/** Writes the table of a run. @param notes lines below it */
export function writeTable(rows: readonly (Row & Counts)[], notes: readonly string[]): void {
  writeSection('fidelity', [...HEAD, ...rows.map(lineOf), ...notes.flatMap((note) => ['', note])]);
}

/** Replaces the text between the markers of a section in `test/README.md`. */
export function writeSection(name: string, lines: readonly string[]): void {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const text = readFileSync(FILE, 'utf8');
  const [before, rest] = [text.indexOf(begin), text.indexOf(end)];
  if (before === -1 || rest === -1) throw new Error(`${FILE} lacks the markers of ${name}`);
  const head = text.slice(0, before + begin.length);
  writeFileSync(FILE, `${head}\n${lines.join('\n')}\n\n${text.slice(rest)}`);
}

/** Rows of a run that are missing in the table. */
export function missingRows(rows: readonly Row[]): string[] {
  const text = readFileSync(FILE, 'utf8');
  return rows.map(keyOf).filter((key) => !text.includes(key));
}
