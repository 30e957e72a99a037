import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandContext } from '../model/command-context';
import type { CommandId, Commands } from '../model/commands';
import type { DebugTarget } from '../model/debugging';
import type { TransactionNode } from '../model/tree-node';
import { askTransaction, placeOf } from '../transactions/transaction-targets';
import { configurationOf } from './debug-configurations';
import type { DebugPlaces } from './debug-places';
import type { ExecutedLines } from './executed-lines';

export function debugCommands(
  { client, inspector }: CommandContext,
  places: DebugPlaces,
  executedLines: ExecutedLines,
): Pick<
  Commands,
  | 'forklens.debugTransaction'
  | 'forklens.toggleExecutedLines'
  | 'forklens.switchBuild'
  | 'forklens.goToWriter'
  | 'forklens.goToStep'
  | 'forklens.copySessionLink'
  | 'forklens.changeAndRunAgain'
> {
  return {
    'forklens.debugTransaction': async (given) => {
      const target = await targetOf(given);
      const { stopAt, panel, breakpoints = [] } = target;
      if (breakpoints.length > 0) {
        const { setBreakpoints } = await import('./adapter-bundle');
        await setBreakpoints(client, target, breakpoints);
      }
      if (stopAt !== undefined && (await places.move(target, stopAt, panel))) return;
      await vscode.debug.startDebugging(undefined, configurationOf(target));
    },

    'forklens.toggleExecutedLines': () => executedLines.toggle(),

    'forklens.changeAndRunAgain': async (given) => {
      const again: CommandId = 'forklens.resimulateTransaction';
      await vscode.commands.executeCommand(again, given ?? places.active);
    },

    'forklens.switchBuild': async () => (await import('./adapter-bundle')).switchBuild(),

    'forklens.goToWriter': async (given) => (await import('./adapter-bundle')).goToWriter(given),

    'forklens.goToStep': async () => (await import('./adapter-bundle')).goToStep(),

    'forklens.copySessionLink': async () =>
      (await import('./adapter-bundle')).copySessionLink(client),
  };

  async function targetOf(
    given: TransactionNode | DebugTarget | undefined,
  ): Promise<DebugTarget & { chain: string }> {
    const title = l10n.t('Debug Transaction');
    if (given === undefined || 'parent' in given) {
      return askTransaction(client, given ?? inspector.active(), title);
    }
    if ('request' in given) return given;
    if (given.chain !== undefined) return { ...given, chain: given.chain };
    return { ...given, chain: await placeOf(client, given.transaction, title) };
  }
}
