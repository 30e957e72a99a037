import { escapedJson } from '../../api/visible-text';
import type { Colors } from 'picocolors/types';
import type { OnProgress } from '../../api/progress';
import { csv } from '../../../media/inspector/export/csv';
import { formatTable, type Table } from './format-table';
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

  constructor(readonly isJson: boolean) {}

  /** @param data value for `--json` @param text text for people */
  result(data: unknown, text: string | (() => string)): void {
    this.#progress.end();
    if (this.isJson) this.#write(escapedJson(JSON.stringify(data, null, 2)));
    else this.#write(typeof text === 'function' ? text() : text);
  }

  /** @param data value for JSON @param emptyText text for people if there are no rows */
  list(data: unknown, table: Table, { quiet, format }: ListFormat, emptyText = 'None.'): void {
    this.#progress.end();
    if (this.isJson || format === 'json') this.#write(escapedJson(JSON.stringify(data, null, 2)));
    else if (quiet) this.#write(table.rows.map(([first = '']) => first).join('\n'));
    else if (format === 'csv') process.stdout.write(csv(table));
    else if (table.rows.length === 0) this.note(emptyText);
    else this.#write(this.#tableText(table));
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
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Prints one JSON document on one line, or a line of text. */
  line(data: unknown, text: string): void {
    this.#write(this.isJson ? escapedJson(JSON.stringify(data)) : text);
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

  #tableText(table: Table): string {
    const [header = '', ...rows] = formatTable(table, this.width).split('\n');
    return [this.colors.dim(header), ...rows].join('\n');
  }

  #write(text: string): void {
    if (text !== '') process.stdout.write(`${text}\n`);
  }
}
