import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askNetwork } from '../transactions/network-picks';
import { boundTo } from '../../server/client/book/front-matter';
import { factsOf } from './book-data';
import type { BookServices } from './notebook-bundle';
import { activeBook } from './open-book';

/** Binds the active book to the fork or chain that the user picks. @throws UserCancelledError, ApiError */
export async function bindNotebook(services: BookServices): Promise<void> {
  const book = activeBook();
  const network = await askNetwork(services, l10n.t('Bind to Another Fork'));
  const facts = factsOf(book.metadata);
  const edit = new vscode.WorkspaceEdit();
  const metadata = { ...book.metadata, head: boundTo(network, facts) };
  edit.set(book.uri, [vscode.NotebookEdit.updateNotebookMetadata(metadata)]);
  await vscode.workspace.applyEdit(edit);
}
