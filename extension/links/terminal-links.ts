import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Hash } from '../../server/api/primitives';
import type { CommandId } from '../model/commands';
import { hexLiterals } from './hex-literals';

class TransactionLink extends vscode.TerminalLink {
  constructor(
    start: number,
    length: number,
    readonly hash: Hash,
  ) {
    super(start, length, l10n.t('Analyze transaction'));
  }
}

const COMMAND: CommandId = 'forklens.openTransaction';

/** Links every transaction hash in a terminal to the inspector. */
export function registerTerminalLinks(): vscode.Disposable {
  const provider: vscode.TerminalLinkProvider<TransactionLink> = {
    provideTerminalLinks: ({ line }) =>
      hexLiterals(line).flatMap(({ kind, start, length, value }) =>
        kind === 'transaction' ? [new TransactionLink(start, length, value)] : [],
      ),
    handleTerminalLink: async ({ hash }) => {
      await vscode.commands.executeCommand(COMMAND, { transaction: hash });
    },
  };
  return vscode.window.registerTerminalLinkProvider(provider);
}
