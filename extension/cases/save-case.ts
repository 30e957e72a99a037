import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import type { WrittenCase } from '../../server/api/cases';
import { grouped } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { UserCancelledError } from '../model/errors';
import type { TransactionTarget } from '../model/targets';
import type { TransactionNode } from '../model/tree-node';
import { pick } from '../ui/quick-input';
import { withProgress } from '../ui/progress';
import { CASE_EDITOR } from './case-editor-id';
import { caseTarget, type CaseTarget } from './case-target';
import { CASE_EXTENSION, caseFilters, nameOf, pathOnDisk } from './case-files';
import type { CaseContext } from './cases-bundle';

/** Writes everything that is read about an analysis into a file that the user chooses. @throws UserCancelledError */
export async function saveAsCase(
  context: CaseContext,
  given: TransactionNode | TransactionTarget | Simulation | undefined,
): Promise<void> {
  const { client, trust } = context;
  const title = l10n.t('Save As Case');
  const target = await caseTarget(context, given, title);
  const prove = isProvable(target) && (await askProofs(title));
  const place = await askPlace(title, target.name);
  const written = await write(client, target, place, prove);
  await trust.add(place);
  void offerToOpen(place, written);
}

/** A fork has no state root, and a simulation is in no block. */
function isProvable({ analyses: [first, ...others] }: CaseTarget): boolean {
  const isOne = first !== undefined && others.length === 0;
  return isOne && 'transaction' in first && !first.chain.startsWith('fork_');
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
async function askPlace(title: string, stem: string): Promise<vscode.Uri> {
  const name = `${stem}${CASE_EXTENSION}`;
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
  { analyses, shown, title }: CaseTarget,
  place: vscode.Uri,
  prove: boolean,
): Promise<WrittenCase> {
  const body = { file: pathOnDisk(place), analyses, prove, ...(shown && { shown }) };
  return withProgress(l10n.t('Writing the case of {0}…', title), (signal, onProgress) =>
    client.call('writeCase', { body }, { signal, onProgress }),
  );
}

async function offerToOpen(place: vscode.Uri, { bytes }: WrittenCase): Promise<void> {
  const open = l10n.t('Open Case');
  const size = grouped(Math.ceil(bytes / 1000));
  const message = l10n.t('Wrote {0} ({1} kB).', nameOf(place), size);
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('vscode.openWith', place, CASE_EDITOR);
}
