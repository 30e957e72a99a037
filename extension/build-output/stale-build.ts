import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/**
 * Why build output may not be what the editor shows; undefined where it is as new as the source.
 * @param source path of the contract's source
 */
export async function staleReason(
  source: string,
  { writtenMs }: { writtenMs: number },
): Promise<string | undefined> {
  const isDirty = vscode.workspace.textDocuments.some(
    (document) => document.uri.fsPath === source && document.isDirty,
  );
  if (isDirty) return l10n.t('The source has changes that are not saved.');
  const changedMs = await stat(source).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return changedMs > writtenMs
    ? l10n.t('The source is newer than its build output: build the project first.')
    : undefined;
}
