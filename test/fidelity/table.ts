import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts, Row } from './tally';

const FILE = join(__dirname, '..', 'README.md');
const BEGIN = '<!-- fidelity: begin -->';
const END = '<!-- fidelity: end -->';
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
  const text = readFileSync(FILE, 'utf8');
  const [before, rest] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before === -1 || rest === -1) throw new Error(`${FILE} lacks the markers of the table`);
  const lines = ['', ...HEAD, ...rows.map(lineOf), '', ...notes.flatMap((note) => [note, ''])];
  writeFileSync(
    FILE,
    text.slice(0, before + BEGIN.length) + lines.join('\n') + '\n' + text.slice(rest),
  );
}

/** Rows of a run that the table in the file does not have. */
export function missingRows(rows: readonly Row[]): string[] {
  const text = readFileSync(FILE, 'utf8');
  return rows.map(keyOf).filter((key) => !text.includes(key));
}
