import * as l10n from '@vscode/l10n';
import { inert } from '../../../server/presentation/text';
import { markdownCode, markdownText } from '../../../media/inspector/export/markdown';
import type { PageData } from '../../../media/inspector/protocol/page-data';
import type { BookCell } from '../../../server/client/book/book';
import {
  closes,
  fenced,
  linesOf,
  openedFence,
  type Fence,
} from '../../../server/client/book/fences';

/** What a cell shows, for a report. */
export type ReportOutput =
  | { kind: 'analysis'; report: string; page: PageData }
  | { kind: 'json' | 'text'; text: string }
  | { kind: 'error'; message: string };

export type ReportCell = Pick<BookCell, 'kind' | 'text'> & { outputs: readonly ReportOutput[] };

/** Levels that headings of an analysis are below those of the book. */
const LEVELS = 2;

/** Lowers the headings of a document. */
function lowered(markdown: string): string {
  let fence: Fence | undefined;
  const lines = linesOf(markdown).map((line) => {
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined;
      return line;
    }
    fence = openedFence(line);
    return line.replace(/^#{1,4}(?= )/, (marks) => marks + '#'.repeat(LEVELS));
  });
  return lines.join('');
}

const errorMarkdown = (message: string): string =>
  `> ${l10n.t('**Not run to its end:** {0}', markdownText(message).replace(/\\([-.:@/=])/g, '$1'))}\n`;

/** Markdown of what a cell shows. */
export function outputMarkdown(output: ReportOutput): string {
  switch (output.kind) {
    case 'analysis':
      return lowered(output.report);
    case 'json':
    case 'text':
      return `${markdownCode(output.text.split('\n').map(inert).join('\n'), output.kind)}\n`;
    case 'error':
      return errorMarkdown(output.message);
  }
}

/** Markdown of a cell without what it shows. */
export const sourceMarkdown = ({ kind, text }: Pick<BookCell, 'kind' | 'text'>): string =>
  kind === 'markdown' ? `${text}\n` : fenced(kind, text);

/** Note of a cell of code that shows nothing. */
export const notRun = (): string => l10n.t('*Not run.*');

/** The book with what its cells show, as Markdown. */
export function reportMarkdown(cells: readonly ReportCell[]): string {
  const parts = cells.flatMap((cell) => {
    const outputs = cell.outputs.map(outputMarkdown);
    const isSilent = cell.kind !== 'markdown' && outputs.length === 0;
    return [sourceMarkdown(cell), ...(isSilent ? [`${notRun()}\n`] : outputs)];
  });
  return parts.join('\n');
}
