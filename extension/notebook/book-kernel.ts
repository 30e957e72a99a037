import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BOOK_TYPE } from '../model/book-type';
import { isCancellation, reportOf, type ErrorAction } from '../model/errors';
import { sentence } from '../model/sentence';
import { BookError } from '../../server/client/book/book';
import { factsOf, kindOf, LANGUAGES } from './book-data';
import { errorOutput, outputOf } from './cell-outputs';
import type { BookServices } from './notebook-bundle';
import { readerBeside } from './read-beside';
import type { Replays } from './replays';
import { runCell, type BookRun, type CellOutput } from './run-cell';

/** What an open book keeps between runs. */
interface Kept {
  last: string | undefined;
  /** Ends with the run before. */
  turn: Promise<void>;
}

/** Runs the cells of books, those of a book one after the other. */
export class BookKernel implements vscode.Disposable {
  readonly #controller: vscode.NotebookController;
  readonly #books = new WeakMap<vscode.NotebookDocument, Kept>();
  #order = 0;

  constructor(
    private readonly services: BookServices,
    private readonly replays: Replays,
  ) {
    this.#controller = vscode.notebooks.createNotebookController(
      BOOK_TYPE,
      BOOK_TYPE,
      'Forklens',
      (cells, book) => this.#run(cells, book),
    );
    this.#controller.supportedLanguages = Object.values(LANGUAGES);
    this.#controller.supportsExecutionOrder = true;
  }

  dispose(): void {
    this.#controller.dispose();
  }

  #run(cells: vscode.NotebookCell[], book: vscode.NotebookDocument): Promise<void> {
    const kept = this.#books.get(book) ?? { last: undefined, turn: Promise.resolve() };
    this.#books.set(book, kept);
    kept.turn = kept.turn.then(async () => {
      for (const cell of cells) if (!(await this.#runCell(cell, kept))) return;
    });
    return kept.turn;
  }

  /** @returns whether the cell ran to its end, so that the next one may run */
  async #runCell(cell: vscode.NotebookCell, kept: Kept): Promise<boolean> {
    const { client, analyses } = this.services;
    const execution = this.#controller.createNotebookCellExecution(cell);
    const abort = new AbortController();
    const subscription = execution.token.onCancellationRequested(() => {
      abort.abort();
    });
    execution.executionOrder = ++this.#order;
    execution.start(Date.now());
    const { uri, metadata } = cell.notebook;
    const readText = readerBeside(uri);
    const run: BookRun = { client, analyses, readText, ...kept, head: factsOf(metadata).head };
    let shown: Thenable<void> = execution.clearOutput();
    let text: vscode.NotebookCellOutput | undefined;
    try {
      const code = { kind: kindOf(cell.kind, cell.document.languageId), text: textOf(cell) };
      const show = (output: CellOutput): void => {
        const one = outputOf(output, this.replays);
        if (text) shown = execution.replaceOutputItems(one.items, text);
        else shown = execution.appendOutput(one);
        if (output.kind === 'text' || output.kind === 'replay') text ??= one;
      };
      await runCell(run, code, show, abort.signal);
      await shown;
      execution.end(true, Date.now());
      return true;
    } catch (error) {
      await shown;
      if (!isCancellation(error)) await execution.appendOutput(errorOutput(this.#messageOf(error)));
      execution.end(isCancellation(error) ? undefined : false, Date.now());
      return false;
    } finally {
      kept.last = run.last;
      subscription.dispose();
    }
  }

  #messageOf(error: unknown): string {
    if (error instanceof BookError) return sentence(error.message);
    const { log } = this.services;
    log.error(
      `notebook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    const { message = '', actions = [] } = reportOf(error) ?? {};
    const hints = actions.flatMap((action) => HINTS[action]?.() ?? []);
    return [message, ...hints].join(' ');
  }
}

const textOf = ({ document }: vscode.NotebookCell): string =>
  document.getText().replaceAll('\r\n', '\n');

/** What to do first, where commands offer a button. */
const HINTS: Partial<Record<ErrorAction, () => string>> = {
  startService: () => l10n.t('Run "Forklens: Start Service".'),
  reconnect: () => l10n.t('Run "Forklens: Start Service".'),
  signIn: () => l10n.t('Run "Forklens: Sign In".'),
};
