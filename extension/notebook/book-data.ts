import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BookError, type Book, type BookCell, type CellKind } from '../../server/client/book/book';

/** Languages of the cells in the editor. Must equal the ids in the manifest. */
export const LANGUAGES: Record<Exclude<CellKind, 'markdown'>, string> = {
  rpc: 'forklens-rpc',
  simulate: 'forklens-simulate',
  analyze: 'forklens-analyze',
  bisect: 'forklens-bisect',
  regress: 'forklens-regress',
};

const NEW: Omit<Book, 'cells'> = { head: '', tail: '', eol: '\n' };

/** What a kind of cell is for a notebook: markup, or a language. */
export function kindOf(kind: vscode.NotebookCellKind, language: string): CellKind {
  if (kind === vscode.NotebookCellKind.Markup) return 'markdown';
  const found = Object.entries(LANGUAGES).find(([, id]) => id === language);
  if (found !== undefined) return found[0] as CellKind;
  throw new BookError(
    l10n.t('A cell has the language "{0}"; a book takes {1}.', language, languagesText()),
  );
}

const languagesText = (): string => Object.values(LANGUAGES).join(', ');

/** A book as the editor's notebook. What the file has besides the cells' texts is in the metadata. */
export function notebookOf({ cells, ...facts }: Book): vscode.NotebookData {
  const data = new vscode.NotebookData(
    cells.map(({ kind, text, source }) => {
      const cell =
        kind === 'markdown'
          ? new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, text, 'markdown')
          : new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, LANGUAGES[kind]);
      if (source) cell.metadata = { source };
      return cell;
    }),
  );
  data.metadata = facts;
  return data;
}

/** Facts of a book in the metadata of its notebook. */
export const factsOf = (metadata: Readonly<Record<string, unknown>> = {}): Omit<Book, 'cells'> => ({
  ...NEW,
  ...(metadata as Partial<Book>),
});

export function bookOf({ cells, metadata }: vscode.NotebookData): Book {
  return {
    ...factsOf(metadata),
    cells: cells.map(({ kind, languageId, value, metadata: own }): BookCell => {
      const source = own?.['source'] as BookCell['source'];
      return { kind: kindOf(kind, languageId), text: value, ...(source && { source }) };
    }),
  };
}
