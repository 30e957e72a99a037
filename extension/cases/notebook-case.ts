import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CaseAnalysis, CaseShown } from '../../server/api/case-content';
import { BookError, type Book } from '../notebook/book/book';
import { boundTo, networkOf } from '../notebook/book/front-matter';
import { parseBook } from '../notebook/book/parse-book';
import { readAnalyze, readSimulation } from '../notebook/book/read-cells';
import { writeBook } from '../notebook/book/write-book';
import { bookOf, notebookOf } from '../notebook/book-data';
import type { CaseTarget, WrittenAnalyses } from './case-target';

const BOOK = 'forklens-book';

/** A book with the analyses of its cells. @throws BookError for a book without any, or a cell that names no transaction */
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
  if (analyses.length === 0) {
    throw new BookError(l10n.t('No cell of the notebook shows an analysis.'));
  }
  const name = document.uri.path.split('/').at(-1) ?? '';
  const shown: CaseShown = { kind: 'notebook', name, text: writeBook(book) };
  const stem = name.replace(/\.[^.]*$/, '') || 'notebook';
  return { analyses, shown, title: stem, name: stem };
}

/** Without repetitions. JSON-RPC cells are left out: they need the fork. */
function analysesOf({ head, cells }: Book): WrittenAnalyses {
  const network = networkOf(head);
  const found = new Map<string, WrittenAnalyses[number]>();
  for (const [index, { kind, text }] of cells.entries()) {
    const analysis = analysisOf(kind, text, network, index + 1);
    if (analysis) found.set(JSON.stringify(analysis), analysis);
  }
  return [...found.values()];
}

function analysisOf(
  kind: Book['cells'][number]['kind'],
  text: string,
  network: string,
  number: number,
): WrittenAnalyses[number] | undefined {
  if (kind === 'simulate') return { chain: network, simulation: readSimulation(text) };
  if (kind !== 'analyze') return undefined;
  const { transaction, chain = network } = readAnalyze(text);
  if (transaction !== 'last') return { chain, transaction };
  throw new BookError(
    l10n.t('Cell {0} analyzes "last": write the hash of the transaction in its place.', number),
  );
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
    BOOK,
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
