import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserCancelledError } from '../model/errors';
import type { ContractTarget } from '../model/targets';
import { pick } from '../ui/quick-input';
import { declaredContracts, type DeclaredContract } from './solidity-functions';

/**
 * The contract of a source file, by default of the active editor's. Asks where it declares several.
 * @param isWanted selects the contracts that can be picked
 * @throws UserCancelledError after a message, if there is none
 */
export async function pickContract(
  { title, placeholder }: { title: string; placeholder: string },
  uri = vscode.window.activeTextEditor?.document.uri,
  isWanted: (contract: DeclaredContract) => boolean = () => true,
): Promise<ContractTarget> {
  const document =
    uri?.scheme === 'file' && uri.path.endsWith('.sol')
      ? await vscode.workspace.openTextDocument(uri)
      : undefined;
  const declared =
    document === undefined ? [] : declaredContracts(document.getText()).filter(isWanted);
  const [first, ...others] = declared;
  if (document === undefined || first === undefined) {
    void vscode.window.showWarningMessage(
      l10n.t('Open a Solidity file of the workspace that declares a contract first.'),
    );
    throw new UserCancelledError();
  }
  const source = document.uri.fsPath;
  if (others.length === 0) return { contract: first.contract, source };
  const { value: contract } = await pick({
    title,
    placeholder,
    items: Promise.resolve(declared.map(({ contract: label }) => ({ label, value: label }))),
  });
  return { contract, source };
}
