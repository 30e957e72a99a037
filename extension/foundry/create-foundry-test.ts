import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserCancelledError } from '../model/errors';
import { checksumAddress } from '../../server/client/checksum-address';
import { foundryTest, testName } from '../../server/client/foundry-test';
import { testedTransaction } from '../../server/client/tested-transaction';
import { shortHex } from '../../server/client/format';
import type { CommandContext } from '../model/command-context';
import type { TransactionTarget } from '../model/targets';
import type { TransactionNode } from '../model/tree-node';
import { withProgress } from '../ui/progress';
import { askTransaction } from '../transactions/transaction-targets';

/** Writes a Foundry test of a transaction into the workspace's project, and shows it. @throws UserCancelledError */
export async function createFoundryTest(
  { client, inspector }: Pick<CommandContext, 'client' | 'inspector'>,
  given: TransactionNode | TransactionTarget | undefined,
): Promise<void> {
  const target = await askTransaction(
    client,
    given ?? inspector.active(),
    l10n.t('Create Foundry Test'),
  );
  const analysis = await withProgress(
    l10n.t('Reading transaction {0}…', shortHex(target.transaction)),
    (signal, onProgress) => client.call('getAnalysis', { params: target }, { signal, onProgress }),
  );
  const transaction = testedTransaction(analysis);
  const text = foundryTest(transaction, checksumAddress);
  const name = `${testName(transaction)}.t.sol`;
  const project = await foundryProject();
  if (project === undefined) await showUnsaved(name, text);
  else await showSaved(vscode.Uri.joinPath(project, 'test', name), text);
}

/** The first workspace folder that is a Foundry project. */
async function foundryProject(): Promise<vscode.Uri | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (await exists(vscode.Uri.joinPath(uri, 'foundry.toml'))) return uri;
  }
  return undefined;
}

/** Without a project, the user decides where to save the file. */
async function showUnsaved(name: string, text: string): Promise<void> {
  const file = vscode.Uri.from({ scheme: 'untitled', path: name });
  const editor = await vscode.window.showTextDocument(file);
  const { document } = editor;
  const all = new vscode.Range(document.positionAt(0), document.positionAt(Infinity));
  await editor.edit((edit) => {
    edit.replace(all, text);
  });
}

/** @throws UserCancelledError if the file exists and the user keeps it */
async function showSaved(file: vscode.Uri, text: string): Promise<void> {
  if (await exists(file)) {
    const replace = l10n.t('Replace');
    const answer = await vscode.window.showWarningMessage(
      l10n.t('Replace {0}?', vscode.workspace.asRelativePath(file)),
      { modal: true, detail: l10n.t('There is a test of this transaction already.') },
      replace,
    );
    if (answer !== replace) throw new UserCancelledError();
  }
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
  await vscode.window.showTextDocument(file);
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
