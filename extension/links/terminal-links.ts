import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Hash } from '../../server/api/primitives';
import { shortHex } from '../../server/client/format';
import type { CommandId } from '../model/commands';
import { hexLiterals } from './hex-literals';

class TransactionLink extends vscode.TerminalLink {
  constructor(
    start: number,
    length: number,
    readonly hash: Hash,
  ) {
    super(start, length, l10n.t('Analyze or debug transaction'));
  }
}

const ANALYZE: CommandId = 'forklens.openTransaction';
const DEBUG: CommandId = 'forklens.debugTransaction';

/** Links every transaction hash in a terminal to the inspector and the debugger. A link has one action: it asks which. */
export function registerTerminalLinks(): vscode.Disposable {
  const provider: vscode.TerminalLinkProvider<TransactionLink> = {
    provideTerminalLinks: ({ line }) =>
      hexLiterals(line).flatMap(({ kind, start, length, value }) =>
        kind === 'transaction' ? [new TransactionLink(start, length, value)] : [],
      ),
    handleTerminalLink: async ({ hash }) => {
      const items = [
        { label: l10n.t('$(search) Analyze'), command: ANALYZE },
        { label: l10n.t('$(debug-alt) Debug'), command: DEBUG },
      ];
      const placeHolder = l10n.t('Transaction {0}', shortHex(hash));
      const chosen = await vscode.window.showQuickPick(items, { placeHolder });
      if (chosen === undefined) return;
      await vscode.commands.executeCommand(chosen.command, { transaction: hash });
    },
  };
  return vscode.window.registerTerminalLinkProvider(provider);
}
