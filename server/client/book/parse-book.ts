import type { Book, BookCell, CellKind } from './book';
import { closes, linesOf, openedFence, type Fence } from './fences';
import { frontMatterOf } from './front-matter';
import { contentOf, defaultBefore, isMark, rendered } from './write-book';

/** A cell with all of its text. */
interface Found {
  kind: CellKind;
  before: string;
  text: string;
}

const isBlank = (line: string): boolean => line.trim() === '';

/** Splits the lines of a book into cells. No line is left out. */
class Splitter {
  readonly cells: Found[] = [];
  #gap: string[] = [];
  #lines: string[] = [];
  #fence: Fence | undefined;

  add(line: string): void {
    if (this.#fence !== undefined) {
      this.#lines.push(line);
      if (closes(line, this.#fence)) this.#close();
      return;
    }
    const fence = openedFence(line);
    if (fence?.kind !== undefined || isMark(line)) this.#flush('markdown');
    if (isMark(line) || (this.#lines.length === 0 && fence === undefined && isBlank(line))) {
      this.#gap.push(line);
      return;
    }
    this.#fence = fence;
    this.#lines.push(line);
  }

  /** @returns what follows the last cell */
  end(): string {
    this.#close();
    this.#flush('markdown');
    return this.#gap.join('');
  }

  #close(): void {
    const kind = this.#fence?.kind;
    this.#fence = undefined;
    if (kind !== undefined) this.#flush(kind);
  }

  #flush(kind: CellKind): void {
    const lines = this.#lines;
    if (lines.length === 0) return;
    let end = lines.length;
    if (kind === 'markdown') while (isBlank(lines[end - 1] ?? '')) end--;
    this.cells.push({
      kind,
      before: this.#gap.join(''),
      text: lines.slice(0, end).join(''),
    });
    this.#gap = lines.slice(end);
    this.#lines = [];
  }
}

/** Reads a book. Any text is one: what is not understood is Markdown. `writeBook` gives the same text again. */
export function parseBook(text: string): Book {
  const head = frontMatterOf(text);
  const eol = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
  const splitter = new Splitter();
  for (const line of linesOf(text.slice(head.length))) splitter.add(line);
  const tail = splitter.end();
  const cells = splitter.cells.map(({ kind, before, text: source }, at): BookCell => {
    const content = contentOf(kind, source);
    const own = {
      ...(before !== defaultBefore(splitter.cells[at - 1]?.kind, kind, { head, eol }) && {
        before,
      }),
      ...(source !== rendered(kind, content, eol) && { text: source }),
    };
    return { kind, text: content, ...(Object.keys(own).length > 0 && { source: own }) };
  });
  return { head, cells, tail, eol };
}
