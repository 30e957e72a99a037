import * as l10n from '@vscode/l10n';
import type { BlockTransactions } from '../../server/api/chain-explorer';
import { shortHex } from '../../server/client/format';
import { attribute, htmlText } from '../../server/client/html';
import { transactionDetail, transactionTitle } from '../transactions/transaction-text';
import type { BlockPlan, Insertion } from './block-plan';
import { LIST_SCRIPT, LIST_STYLE } from './other-block-page';

const button = (action: string, label: string): string =>
  `<button type="button" data-do="${action}">${htmlText(label)}</button>`;

/** The document of the list, and of the comparison under it. @param nonce of its script and style sheet @param language BCP 47 */
export function otherBlockHtml(title: string, nonce: string, language: string): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const help = l10n.t(
    'Drag transactions to other places, or move the selected one with Alt+Up and Alt+Down. Delete leaves it out or puts it back, Enter changes a field.',
  );
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <title>${htmlText(title)}</title>
    <style nonce="${nonce}">${LIST_STYLE}</style>
  </head>
  <body>
    <h1>${htmlText(title)}</h1>
    <p class="quiet">${htmlText(help)}</p>
    <nav>${button('execute', l10n.t('What would have happened'))} ${button('insert', l10n.t('Insert transaction…'))} ${button('fork', l10n.t('Create fork of the result…'))}</nav>
    <ol id="list" role="listbox" aria-label="${attribute(l10n.t('Transactions of the other block'))}"></ol>
    <pre id="result" role="status"></pre>
    <script nonce="${nonce}">${LIST_SCRIPT}</script>
  </body>
</html>`;
}

/** The items of the list. */
export const listHtml = (plan: BlockPlan, page: BlockTransactions): string =>
  plan.order.map((one) => itemHtml(plan, page, one)).join('');

function itemHtml(plan: BlockPlan, page: BlockTransactions, one: number): string {
  const isDropped = plan.isDropped(one);
  const insertion = plan.insertionOf(one);
  const fields = Object.entries(plan.fieldsOf(one)).map(([field, value]) => `${field} = ${value}`);
  const actions = [
    ...(insertion ? [] : [button('change', l10n.t('Change field…'))]),
    button('toggle', isDropped ? l10n.t('Put back') : l10n.t('Leave out')),
  ];
  const state = [
    ...(isDropped ? [l10n.t('left out')] : []),
    ...(insertion ? [l10n.t('inserted')] : []),
    ...fields,
  ].join(', ');
  return `<li role="option" tabindex="0" draggable="true" data-id="${one}" class="${isDropped ? 'dropped' : ''}">
    <span class="was">${insertion ? '+' : one}</span>
    <span class="title">${htmlText(titleOf(page, one, insertion))}</span>
    <span class="quiet">${htmlText(detailOf(page, one))}</span>
    <span class="state">${htmlText(state)}</span>
    <span class="actions">${actions.join('')}</span>
  </li>`;
}

function titleOf(page: BlockTransactions, one: number, insertion: Insertion | undefined): string {
  const transaction = page.transactions[one];
  if (!insertion) return transaction ? transactionTitle(transaction) : '';
  switch (insertion.kind) {
    case 'insert':
      return l10n.t('from {0}', shortHex(insertion.transaction.from));
    case 'insertMined':
      return shortHex(insertion.hash);
    case 'insertSigned':
      return l10n.t('signed, {0}', shortHex(insertion.raw));
  }
}

function detailOf(page: BlockTransactions, one: number): string {
  const transaction = page.transactions[one];
  return transaction ? transactionDetail(transaction, page) : '';
}
