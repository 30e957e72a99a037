import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BisectChange } from '../../server/api/bisect';
import type { CommandContext } from '../model/command-context';
import type { ChangeTarget } from '../model/targets';
import { askNetwork } from '../transactions/network-picks';
import { withProgress } from '../ui/progress';
import { askExpression } from './ask-expression';
import { askRange } from './ask-range';
import { changeText } from './change-text';

/**
 * Asks for what the target leaves open, finds the transaction after which a value changed, and opens its analysis.
 * @throws UserCancelledError, ApiError
 */
export async function whenDidThisChange(
  context: Pick<CommandContext, 'client' | 'memento'>,
  target: ChangeTarget = {},
): Promise<void> {
  const title = l10n.t('When Did This Change');
  const { client } = context;
  const chain = target.chain ?? (await askNetwork(context, title));
  const expression = target.expression ?? (await askExpression(title, target.address));
  const { from, to } = await askRange(client, title, { chain, to: target.to });
  const contract = target.contract ?? target.address;
  const found = await withProgress(
    l10n.t('Looking for the change of {0}…', expression),
    (signal, onProgress) =>
      client.call(
        'bisect',
        {
          params: { chain },
          body: { expression, from, to, ...(contract === undefined ? {} : { contract }) },
        },
        { signal, onProgress },
      ),
  );
  const [change] = found.changes;
  if (change) await show(chain, expression, change);
}

async function show(chain: string, expression: string, change: BisectChange): Promise<void> {
  const { transaction, payments } = change;
  const text = changeText(expression, change);
  if (transaction === null) {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const target = { chain, transaction: transaction.hash };
  await vscode.commands.executeCommand('forklens.openTransaction', target);
  const debug = l10n.t('Debug');
  // The notification stays until the user has read it: the command ends before.
  void vscode.window.showInformationMessage(text, debug).then((chosen) => {
    if (chosen !== debug) return;
    const [payment] = payments;
    const stop = payment === undefined ? {} : { stopAt: payment.nodeId };
    void vscode.commands.executeCommand('forklens.debugTransaction', Object.assign(stop, target));
  });
}
