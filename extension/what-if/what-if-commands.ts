import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { declaredContracts } from '../build-output/solidity-functions';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import type { Debugging } from '../model/debugging';
import { UserCancelledError } from '../model/errors';
import type { ContractTarget } from '../model/targets';
import { pick } from '../ui/quick-input';
import { openSubjects } from './subjects';

/** Commands that execute transactions again with other code. What they do is in a bundle of its own. */
export function whatIfCommands(
  context: CommandContext,
  debugging: Debugging,
): Pick<Commands, 'forklens.runAgainWithCode'> {
  return {
    'forklens.runAgainWithCode': async (given) => {
      const target = given === undefined || 'scheme' in given ? await contractOf(given) : given;
      const subjects = openSubjects(debugging, context.inspector);
      const { runAgain } = await import('./run-again');
      await runAgain(context, target, subjects);
    },
  };
}

/** The contract of a source file. Asks where it declares several. */
async function contractOf(
  uri = vscode.window.activeTextEditor?.document.uri,
): Promise<ContractTarget> {
  const document =
    uri?.scheme === 'file' && uri.path.endsWith('.sol')
      ? await vscode.workspace.openTextDocument(uri)
      : undefined;
  const declared = document === undefined ? [] : declaredContracts(document.getText());
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
    title: l10n.t('Run Again With This Code'),
    placeholder: l10n.t('Contract whose code is to run'),
    items: Promise.resolve(declared.map(({ contract: label }) => ({ label, value: label }))),
  });
  return { contract, source };
}
