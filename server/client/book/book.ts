/** What runs a cell; Markdown is shown only. */
export type CellKind = 'markdown' | 'rpc' | 'simulate' | 'analyze' | 'bisect' | 'regress';

/** Text of a file that differs from what `writeBook` would write for the same cell. */
export interface CellSource {
  /** Blank lines and marks before the cell. */
  before?: string;
  /** Lines of the cell, with its fence. */
  text?: string;
}

export interface BookCell {
  kind: CellKind;
  /** Lines end with `\n`; the last one has no end. */
  text: string;
  source?: CellSource;
}

/** A book: Markdown with cells of code in fences. */
export interface Book {
  /** Front matter with its marks, as it is in the file; empty if there is none. */
  head: string;
  cells: BookCell[];
  /** Blank lines and marks after the last cell. */
  tail: string;
  /** End of new lines. */
  eol: '\n' | '\r\n';
}

/** Why a book or one of its cells cannot be run. */
export class BookError extends Error {
  override readonly name = 'BookError';
}
