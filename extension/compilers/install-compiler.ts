import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readSettings } from '../editor/settings';
import { UserCancelledError } from '../model/errors';
import { runCommandLine } from '../service/command-line';
import { withProgress } from '../ui/progress';

const VERSION = /^\d+\.\d+\.\d+$/;

/**
 * Installs a compiler from npm in the data directory of the service, which finds it by itself.
 * @param given such as `0.8.19`; undefined: the user is asked
 * @throws Error with what to do; UserCancelledError
 */
export async function installCompiler(extensionUri: vscode.Uri, given?: string): Promise<void> {
  const version = given ?? (await askVersion());
  if (version === undefined) throw new UserCancelledError();
  const args = ['solc', 'add', version, '--data-dir', readSettings().dataDirectory];
  await withProgress(l10n.t('Installing solc {0} from npm…', version), (signal) =>
    runCommandLine(extensionUri, args, { signal }),
  );
  if (given !== undefined) return;
  const text = l10n.t('solc {0} is installed. The next debug session uses it.', version);
  void vscode.window.showInformationMessage(text);
}

const askVersion = (): Thenable<string | undefined> =>
  vscode.window.showInputBox({
    title: l10n.t('Install Solidity Compiler'),
    prompt: l10n.t('Version, such as 0.8.19'),
    validateInput: (text) =>
      VERSION.test(text) ? undefined : l10n.t('A version such as 0.8.19 is needed'),
  });
