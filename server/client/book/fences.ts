import type { CellKind } from './book';

/** An opened fence: what closes it is a line of as many of the same marks. */
export interface Fence {
  mark: string;
  length: number;
  /** What the cell is; undefined for the fences of other languages, which are Markdown. */
  kind: CellKind | undefined;
}

/** First word of the fence of a new cell: what other viewers of Markdown colour the code as. */
const COLOURED_AS: Record<Exclude<CellKind, 'markdown'>, string> = {
  rpc: 'json',
  simulate: 'json',
  analyze: 'yaml',
  bisect: 'yaml',
  regress: 'yaml',
};
const OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/;
const INFO = /^(?:\S+[ \t]+)?forklens-(rpc|simulate|analyze|bisect|regress)[ \t]*$/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** Lines with their ends. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

export const withoutEnd = (line: string): string => line.replace(/\r?\n$/, '');

/** The fence that a line opens by the rules of CommonMark. */
export function openedFence(line: string): Fence | undefined {
  const [, marks, info = ''] = OPENING.exec(withoutEnd(line)) ?? [];
  if (marks === undefined) return undefined;
  const kind = INFO.exec(info)?.[1] as CellKind | undefined;
  return { mark: marks.charAt(0), length: marks.length, kind };
}

export function closes(line: string, { mark, length }: Fence): boolean {
  const marks = CLOSING.exec(withoutEnd(line))?.[1];
  return marks !== undefined && marks.startsWith(mark) && marks.length >= length;
}

/** The fence that Markdown leaves open; undefined if it closes all of them. */
export function openFence(markdown: string): Fence | undefined {
  let fence: Fence | undefined;
  for (const line of linesOf(markdown)) {
    if (fence === undefined) fence = openedFence(line);
    else if (closes(line, fence)) fence = undefined;
  }
  return fence;
}

/** The lines of a cell of code, in a fence that its content cannot close. */
export function fenced(kind: Exclude<CellKind, 'markdown'>, text: string): string {
  const runs = text.match(/^ {0,3}`{3,}/gm) ?? [];
  const marks = '`'.repeat(Math.max(3, ...runs.map((run) => run.trim().length + 1)));
  const code = text === '' ? '' : `${text}\n`;
  return `${marks}${COLOURED_AS[kind]} forklens-${kind}\n${code}${marks}\n`;
}
