import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { WrittenCase } from '../../server/api/cases';
import { grouped, shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { UserCancelledError } from '../model/errors';
import type { TransactionTarget } from '../model/targets';
import type { TransactionNode } from '../model/tree-node';
import { askTransaction } from '../transactions/transaction-targets';
import { pick } from '../ui/quick-input';
import { withProgress } from '../ui/progress';
import { CASE_EDITOR } from './case-editor-id';
import { CASE_EXTENSION, caseFilters, nameOf, pathOnDisk } from './case-files';
import type { CaseContext } from './cases-bundle';

/** Writes everything that is read about a transaction into a file that the user chooses. @throws UserCancelledError */
export async function saveAsCase(
  { client, inspector, trust }: CaseContext,
  given: TransactionNode | TransactionTarget | undefined,
): Promise<void> {
  const title = l10n.t('Save As Case');
  const target = await askTransaction(client, given ?? inspector.active(), title);
  const prove = await askProofs(title);
  const place = await askPlace(title, target.transaction);
  const written = await write(client, target, place, prove);
  await trust.add(place);
  void offerToOpen(place, written);
}

async function askProofs(title: string): Promise<boolean> {
  const items = [
    {
      label: l10n.t('Without proofs'),
      detail: l10n.t('Its reader trusts you for the state before the transaction'),
      value: false,
    },
    {
      label: l10n.t('With proofs'),
      detail: l10n.t(
        'Its reader needs to trust the hash of the block alone. The node must answer eth_getProof',
      ),
      value: true,
    },
  ];
  const placeholder = l10n.t('Proofs of the state before the transaction');
  return (await pick({ title, placeholder, items: Promise.resolve(items) })).value;
}

/** @throws UserCancelledError */
async function askPlace(title: string, transaction: string): Promise<vscode.Uri> {
  const name = `transaction-${transaction.slice(0, 10)}${CASE_EXTENSION}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const place = await vscode.window.showSaveDialog({
    title,
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name),
    filters: caseFilters(),
  });
  if (!place) throw new UserCancelledError();
  return place.path.endsWith(CASE_EXTENSION)
    ? place
    : place.with({ path: place.path + CASE_EXTENSION });
}

function write(
  client: ApiClient,
  { chain, transaction }: TransactionTarget,
  place: vscode.Uri,
  prove: boolean,
): Promise<WrittenCase> {
  const request = { params: { chain, transaction }, body: { file: pathOnDisk(place), prove } };
  return withProgress(
    l10n.t('Writing the case of {0}…', shortHex(transaction)),
    (signal, onProgress) => client.call('createCase', request, { signal, onProgress }),
  );
}

async function offerToOpen(place: vscode.Uri, { bytes }: WrittenCase): Promise<void> {
  const open = l10n.t('Open Case');
  const size = grouped(Math.ceil(bytes / 1000));
  const message = l10n.t('Wrote {0} ({1} kB).', nameOf(place), size);
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('vscode.openWith', place, CASE_EDITOR);
}
