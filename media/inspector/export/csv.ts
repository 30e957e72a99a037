import { inert } from '../grammar/text';
import type { Table } from './tables';

const NUMBER = /^-?\d+(\.\d+)?$/;

/** What a spreadsheet may run as a formula, also in characters of full width and after spaces. */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const LINES_AND_TABS = /[\n\r\t]/;

/**
 * One cell as of RFC 4180. An apostrophe precedes text that a spreadsheet would run as a formula, such as a token named `=…`. Characters
 * that control a terminal or change the direction of text are escaped.
 */
function cell(text: string): string {
  const shown = text
    .split(/([\n\r\t])/)
    .map((part) => (LINES_AND_TABS.test(part) ? part : inert(part)))
    .join('');
  const safe = FORMULA.test(shown) && !NUMBER.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as comma-separated values with a header line, as of RFC 4180. Each line is made when it is read. */
export function* csvLines({ columns, rows }: Table): Generator<string> {
  yield lineOf(columns);
  for (const row of rows) yield lineOf(row);
}

const lineOf = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** The lines of a table in one text. */
export const csv = (table: Table): string => Array.from(csvLines(table)).join('');
