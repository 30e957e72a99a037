import * as vscode from 'vscode';
import type { CaseAnalysis, CaseShown } from '../../server/api/case-content';
import { analysesOf } from '../../server/client/book/book-analyses';
import { boundTo, networkOf } from '../../server/client/book/front-matter';
import { parseBook } from '../../server/client/book/parse-book';
import { writeBook } from '../../server/client/book/write-book';
import { BOOK_TYPE } from '../model/book-type';
import { bookOf, notebookOf } from '../notebook/book-data';
import type { CaseTarget } from './case-target';

/** A book with the analyses of its cells. @throws BookError as `analysesOf` */
export function notebookContent(document: vscode.NotebookDocument): CaseTarget {
  const data = new vscode.NotebookData(
    document.getCells().map(({ kind, document: text, metadata }) => {
      const cell = new vscode.NotebookCellData(kind, text.getText(), text.languageId);
      cell.metadata = metadata;
      return cell;
    }),
  );
  data.metadata = document.metadata;
  const book = bookOf(data);
  const analyses = analysesOf(book);
  const name = document.uri.path.split('/').at(-1) ?? '';
  const shown: CaseShown = { kind: 'notebook', name, text: writeBook(book) };
  const stem = name.replace(/\.[^.]*$/, '') || 'notebook';
  return { analyses, shown, title: stem, name: stem };
}

/** Shows the book of a case, on the chains of the case. It is a new document. */
export async function showNotebook(
  text: string,
  analyses: readonly CaseAnalysis[],
): Promise<vscode.NotebookDocument> {
  const chains = new Map(analyses.map(({ network, chain }) => [network, chain]));
  const book = parseBook(text);
  const network = networkOf(book.head);
  const head = boundTo(chains.get(network) ?? network, book);
  // Without the analysis that the cell had: it is of the other chain.
  const cells = book.cells.map((cell) =>
    cell.kind === 'analyze' ? { kind: cell.kind, text: onChains(cell.text, chains) } : cell,
  );
  const notebook = await vscode.workspace.openNotebookDocument(
    BOOK_TYPE,
    notebookOf({ ...book, head, cells }),
  );
  await vscode.window.showNotebookDocument(notebook);
  return notebook;
}

/** A cell with the names of chains that the case has. */
const onChains = (text: string, chains: ReadonlyMap<string, string>): string =>
  text.replaceAll(
    /^(\s*chain:\s*)(\S+)/gm,
    (_, start: string, name: string) => start + (chains.get(name) ?? name),
  );
