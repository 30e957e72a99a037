import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { withProgress } from '../ui/progress';
import type { Replay } from './replays';

/**
 * Compares a transaction as it was with what new code would have made of it.
 * @throws ApiError; UserCancelledError
 */
export async function compareReplay(
  client: ApiClient,
  { chain, address, newCode }: Replay,
  transaction: string,
): Promise<void> {
  const title = l10n.t('Executing {0} with the new code…', shortHex(transaction));
  const { results } = await withProgress(title, (signal) =>
    client.call(
      'regress',
      {
        params: { chain, address },
        body: { newCode, transactions: [transaction], simulations: true },
      },
      { signal },
    ),
  );
  const [result] = results;
  if (result?.simulation === undefined) {
    const why = result?.cause ?? '';
    void vscode.window.showWarningMessage(
      l10n.t('There is nothing to compare {0} with: {1}', shortHex(transaction), why),
    );
    return;
  }
  const simulation: Simulation = {
    chain,
    request: result.simulation as Simulation['request'],
    title: l10n.t(
      '{0} with {1}',
      shortHex(transaction),
      newCode.name === undefined || newCode.name === '' ? l10n.t('new code') : newCode.name,
    ),
  };
  const sides = { left: { chain, transaction }, right: simulation };
  await vscode.commands.executeCommand('forklens.compareAnalyses', sides);
}
