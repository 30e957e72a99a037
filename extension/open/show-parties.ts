import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Address } from '../../server/api/primitives';
import { shortHex } from '../../server/client/format';
import type { BlockTransactionNode } from '../model/chain-node';
import type { CommandId } from '../model/commands';
import { pick } from '../ui/quick-input';

/** Asks for the sender, the receiver or the new contract of a transaction, and shows it. @throws UserCancelledError */
export async function showParties({
  chain,
  transaction,
  page,
}: BlockTransactionNode): Promise<void> {
  const { from, to, created } = transaction;
  const parties: [string, string | null][] = [
    [l10n.t('sender'), from],
    [l10n.t('receiver'), to],
    [l10n.t('new contract'), created],
  ];
  const { value } = await pick({
    title: l10n.t('Addresses of {0}', shortHex(transaction.hash)),
    placeholder: l10n.t('Address to show'),
    items: Promise.resolve(
      parties.flatMap(([role, address]) =>
        address === null
          ? []
          : [
              {
                label: page.labels[address] ?? shortHex(address),
                description: role,
                detail: address,
                value: address as Address,
              },
            ],
      ),
    ),
  });
  const target = { chain, address: value };
  await vscode.commands.executeCommand('forklens.showAddress' satisfies CommandId, target);
}
