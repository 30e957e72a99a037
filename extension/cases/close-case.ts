import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { OpenCaseView } from '../../server/api/cases';
import { grouped, shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { pick } from '../ui/quick-input';

/** Closes a case that the user chooses; its file stays. @throws UserCancelledError */
export async function closeCase(client: ApiClient): Promise<void> {
  const cases = await client.call('listCases', {});
  if (cases.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('No case is open.'));
    return;
  }
  const { value } = await pick({
    title: l10n.t('Close Case'),
    placeholder: l10n.t('Open case'),
    items: Promise.resolve(cases.map(itemOf)),
  });
  await client.call('closeCase', { params: { case: value } });
}

function itemOf({ chain, ofChain, block, transaction }: OpenCaseView) {
  const place = l10n.t('{0}, block {1}', ofChain, grouped(Number(block.number)));
  const what = transaction === undefined ? l10n.t('a simulation') : shortHex(transaction);
  return { label: chain, description: `${what} · ${place}`, value: chain };
}
