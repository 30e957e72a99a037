import { visibleText } from '../../api/visible-text';

/** Rows of text, and the names of their columns. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

const GAP = '  ';
/** Minimum width of a column. */
const MIN_WIDTH = 8;

/**
 * Aligns columns with spaces. Shortens the widest columns until each line fits.
 * @param width columns of the terminal; undefined: shortens nothing
 * @returns the lines, the first with the names of the columns; each is made when it is read
 */
export function* tableLines({ columns, rows }: Table, width?: number): Generator<string> {
  const widths = columns.map(() => 0);
  const measure = (line: readonly string[]): void => {
    for (const column of widths.keys()) {
      const length = lengthOf(visibleText(line[column] ?? ''));
      if (length > (widths[column] ?? 0)) widths[column] = length;
    }
  };
  measure(columns);
  rows.forEach(measure);
  if (width !== undefined) shrink(widths, width - GAP.length * (widths.length - 1));
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => padded(visibleText(cell), widths[column] ?? 0))
      .join(GAP)
      .trimEnd();
  yield lineOf(columns);
  for (const row of rows) yield lineOf(row);
}

const lengthOf = (text: string): number => Array.from(text).length;

/** Narrows the widest column until the sum fits or all columns have their minimum width. */
function shrink(widths: number[], available: number): void {
  for (let excess = sum(widths) - available; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= MIN_WIDTH) return;
    widths[widest] = width - 1;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Shortened hex and ids keep their start and end. */
function padded(cell: string, width: number): string {
  const characters = Array.from(cell);
  if (characters.length <= width) return cell + ' '.repeat(width - characters.length);
  const tail = /^(0x|fork_|project_)/.test(cell) ? 4 : 0;
  const head = characters.slice(0, width - 1 - tail).join('');
  return `${head}…${tail === 0 ? '' : characters.slice(-tail).join('')}`;
}
