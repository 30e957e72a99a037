import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readSettings } from '../editor/settings';
import type { CommandId } from '../model/commands';
import type { MissingCompiler } from '../model/debugging';

const VERSION = /^\d+\.\d+\.\d+$/;
/** Names of contracts in a message. */
const SHOWN = 3;

/** Versions that the user did not want, until the window is closed. */
const dismissed = new Set<string>();

/** Offers the compilers that a session's local variables need, and begins it again with them. */
export async function offerCompilers(
  session: vscode.DebugSession,
  missing: readonly MissingCompiler[],
): Promise<void> {
  // A service elsewhere has its own compilers. The console names the command.
  if (readSettings().serviceMode === 'remote') return;
  const wanted = missing.filter(({ version }) => VERSION.test(version) && !dismissed.has(version));
  if (wanted.length === 0) return;
  const versions = wanted.map(({ version }) => version);
  const contracts = [...new Set(wanted.flatMap((one) => one.contracts))];
  const button = l10n.t('Install');
  const chosen = await vscode.window.showInformationMessage(
    l10n.t(
      'Local variables of {0} need solc {1}: about 10 MB each from npm, once.',
      shownNames(contracts),
      versions.join(', '),
    ),
    button,
  );
  if (chosen !== button) {
    for (const version of versions) dismissed.add(version);
    return;
  }
  const install: CommandId = 'forklens.installCompiler';
  for (const version of versions) {
    if ((await vscode.commands.executeCommand(install, version)) !== true) return;
  }
  await vscode.debug.stopDebugging(session);
  await vscode.debug.startDebugging(session.workspaceFolder, session.configuration);
}

const shownNames = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')}, …`;
