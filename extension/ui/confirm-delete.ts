import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserCancelledError } from '../model/errors';

/** @throws UserCancelledError unless the user agrees */
export async function confirmDelete(message: string, detail: string): Promise<void> {
  const remove = l10n.t('Delete');
  const options = { modal: true, detail };
  const answer = await vscode.window.showWarningMessage(message, options, remove);
  if (answer !== remove) throw new UserCancelledError();
}
