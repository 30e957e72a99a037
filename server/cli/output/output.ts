import { escapedJson } from '../../api/visible-text';
import type { Colors } from 'picocolors/types';
import type { OnProgress } from '../../api/progress';
import { csvLines } from '../../../media/inspector/export/csv';
import { jsonPieces } from '../../kernel/async/json-pieces';
import { piecesOf } from '../../kernel/streams/write-text';
import { tableLines, type Table } from './format-table';
import { PacedWriter } from './paced-writer';
import { createProgress } from './progress';
import { colorsFor, widthOf } from './terminal';

export interface ListFormat {
  quiet: boolean;
  format: 'table' | 'csv' | 'json';
}

/** Output of a command. Results go to standard output, everything else to standard error. */
export class Output {
  readonly colors: Colors = colorsFor(process.stdout, process.env);
  /** Columns of the terminal; undefined where nothing may be shortened. */
  readonly width = widthOf(process.stdout);
  readonly #progress = createProgress(process.stderr);
  readonly #writer = new PacedWriter(process.stdout);

  constructor(readonly isJson: boolean) {}

  /** @param data value for `--json` @param text text for people, or makes it or its lines */
  result(data: unknown, text: string | (() => string | Iterable<string>)): void {
    this.#progress.end();
    if (this.isJson) this.#writeJson(data);
    else this.#writeLines(typeof text === 'function' ? text() : text);
  }

  /** @param data value for JSON @param emptyText text for people if there are no rows */
  list(data: unknown, table: Table, { quiet, format }: ListFormat, emptyText = 'None.'): void {
    this.#progress.end();
    if (this.isJson || format === 'json') this.#writeJson(data);
    else if (quiet) this.#writeLines(firstCells(table));
    else if (format === 'csv') this.#writer.write(csvLines(withoutPlus(table)));
    else if (table.rows.length === 0) this.note(emptyText);
    else this.#writeLines(this.#tableLines(table));
  }

  /** Prints facts, one per line: `name  value`. */
  facts(data: unknown, rows: readonly (readonly [name: string, value: string])[]): void {
    const known = rows.filter(([, value]) => value !== '');
    const width = Math.max(...known.map(([name]) => name.length));
    this.result(data, () =>
      known.map(([name, value]) => `${this.colors.dim(name.padEnd(width))}  ${value}`).join('\n'),
    );
  }

  /** Prints a text unchanged, for files and programs. */
  raw(text: string): void {
    this.#progress.end();
    this.#writer.write(piecesOf(text.endsWith('\n') ? text : `${text}\n`));
  }

  /** Prints one JSON document on one line, or a line of text. */
  line(data: unknown, text: string): void {
    this.#writeLines(this.isJson ? escapedJson(JSON.stringify(data)) : text);
  }

  /** Prints a note for people on standard error. Prints nothing with `--json`. */
  note(text: string): void {
    this.#progress.end();
    if (!this.isJson) process.stderr.write(`${text}\n`);
  }

  /** Reports the progress of a long operation: always in a terminal, elsewhere only if it may take minutes. */
  progressOf(duration: 'seconds' | 'minutes'): OnProgress | undefined {
    const isShown = process.stderr.isTTY || duration === 'minutes';
    return this.isJson || !isShown ? undefined : this.#progress.show;
  }

  status(text: string): void {
    if (!this.isJson && process.stderr.isTTY) this.#progress.say(text);
  }

  /** Removes the progress line if one is shown. */
  end(): void {
    this.#progress.end();
  }

  /** Resolves when the reader of the output has taken all of it, or is gone. */
  flushed(): Promise<void> {
    return this.#writer.flushed();
  }

  *#tableLines(table: Table): Generator<string> {
    let isHeader = true;
    for (const line of tableLines(table, this.width)) {
      yield isHeader ? this.colors.dim(line) : line;
      isHeader = false;
    }
  }

  #writeJson(data: unknown): void {
    this.#writer.write(indentedJson(data));
  }

  #writeLines(lines: string | Iterable<string>): void {
    if (lines === '') return;
    this.#writer.write(ended(typeof lines === 'string' ? [lines] : lines));
  }
}

function* indentedJson(data: unknown): Generator<string> {
  for (const piece of jsonPieces(data, 2)) yield escapedJson(piece);
  yield '\n';
}

/** A spreadsheet reads `+1` as a formula, and `1` as a number like `-1`. */
const withoutPlus = ({ columns, rows }: Table): Table => ({
  columns,
  rows: rows.map((row) => row.map((cell) => cell.replace(/^\+(?=\d+(\.\d+)?$)/, ''))),
});

function* firstCells({ rows }: Table): Generator<string> {
  for (const [first = ''] of rows) yield first;
}

function* ended(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}
