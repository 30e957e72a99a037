import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BOOK_TYPE } from '../model/book-type';
import { UserCancelledError } from '../model/errors';

/** The book in the active editor. @throws UserCancelledError after a message, if there is none */
export function activeBook(): vscode.NotebookDocument {
  const book = vscode.window.activeNotebookEditor?.notebook;
  if (book?.notebookType === BOOK_TYPE) return book;
  void vscode.window.showWarningMessage(l10n.t('Open a Forklens notebook first.'));
  throw new UserCancelledError();
}
