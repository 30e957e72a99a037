import type { Book, BookCell, CellKind } from './book';
import { closes, fenced, linesOf, openedFence, openFence, withoutEnd } from './fences';

/** A line between two cells of Markdown. Viewers of Markdown do not show it. */
const MARK = '<!-- cell -->';

export const isMark = (line: string): boolean => line.trim() === MARK;

const withLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

const isTerminated = (lines: readonly string[]): boolean => {
  const fence = openedFence(lines[0] ?? '');
  return lines.length > 1 && fence !== undefined && closes(lines.at(-1) ?? '', fence);
};

/** The content of a cell's lines: without its fence, and with `\n` at the ends of lines. */
export function contentOf(kind: CellKind, source: string): string {
  if (kind === 'markdown') return withLf(withoutEnd(source));
  const lines = linesOf(source);
  const code = lines.slice(1, isTerminated(lines) ? -1 : undefined).join('');
  return withLf(withoutEnd(code));
}

/** A cell as it is written where the file had no other form of it. */
export function rendered(kind: CellKind, text: string, eol: Book['eol']): string {
  const lines = kind === 'markdown' ? `${text}\n` : fenced(kind, text);
  return eol === '\n' ? lines : lines.replaceAll('\n', eol);
}

/** What is written before a cell where the file had nothing else. */
export function defaultBefore(
  previous: CellKind | undefined,
  kind: CellKind,
  { head, eol }: Pick<Book, 'head' | 'eol'>,
): string {
  if (previous === undefined) return head === '' ? '' : eol;
  return previous === 'markdown' && kind === 'markdown' ? `${eol}${MARK}${eol}${eol}` : eol;
}

/** Lines of a cell: those of the file if they still say the same. */
function linesOfCell({ kind, text, source }: BookCell, isLast: boolean, eol: Book['eol']): string {
  const kept = source?.text;
  const isKept =
    kept !== undefined &&
    (openedFence(linesOf(kept)[0] ?? '')?.kind ?? 'markdown') === kind &&
    contentOf(kind, kept) === withLf(text) &&
    (isLast || kind === 'markdown' || isTerminated(linesOf(kept)));
  const lines = isKept ? kept : rendered(kind, withLf(text), eol);
  const open = isLast || kind !== 'markdown' ? undefined : openFence(lines);
  // A fence that stays open would take the next cell into the Markdown.
  return open ? `${endedLine(lines, eol)}${open.mark.repeat(open.length)}${eol}` : lines;
}

const endedLine = (text: string, eol: string): string =>
  text === '' || text.endsWith('\n') ? text : text + eol;

/** The text of a book. Cells that are as they were read are written as they were. */
export function writeBook({ head, cells, tail, eol }: Book): string {
  const shown = cells.filter(({ kind, text }) => kind !== 'markdown' || text.trim() !== '');
  const written = [head];
  let last = head;
  let previous: CellKind | undefined;
  const write = (text: string): void => {
    const ended = endedLine(last, eol).slice(last.length);
    written.push(ended, text);
    last = text;
  };
  shown.forEach((cell, at) => {
    const { kind, source } = cell;
    const isApart = previous !== 'markdown' || kind !== 'markdown';
    const kept = source?.before;
    const before =
      kept !== undefined && (isApart || linesOf(kept).some(isMark))
        ? kept
        : defaultBefore(previous, kind, { head, eol });
    const lines = linesOfCell(cell, at === shown.length - 1, eol);
    write(before + lines);
    previous = kind;
  });
  if (tail !== '') write(tail);
  return written.join('');
}
