import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BookError } from '../../server/client/book/book';

/** Reads text files by paths that cells name: from the folder of the book, from that of the workspace if it is not saved, or whole ones. */
export function readerBeside(book: vscode.Uri): (path: string) => Promise<string> {
  const isNew = book.scheme === 'untitled';
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
  const folder = isNew ? workspace : vscode.Uri.joinPath(book, '..');
  return async (path) => {
    const isWhole = /^([/\\]|[A-Za-z]:[/\\])/.test(path);
    const file =
      isWhole || folder === undefined ? vscode.Uri.file(path) : vscode.Uri.joinPath(folder, path);
    try {
      return Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
    } catch {
      throw new BookError(l10n.t('code: {0} cannot be read.', file.fsPath));
    }
  };
}
