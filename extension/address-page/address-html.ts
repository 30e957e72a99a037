import * as l10n from '@vscode/l10n';
import type { AddressTransactions } from '../../server/api/chain-explorer';
import type { AddressSource } from '../../server/api/contract-source';
import type { AddressFacts } from '../../server/api/lookup';
import type { TokenBalances } from '../../server/api/token-balances';
import { grouped, groupedDecimal, shortHex } from '../../server/client/format';
import { attribute, htmlText } from '../../server/client/html';
import { methodText } from '../../server/client/method-text';
import type { CommandId } from '../model/commands';
import type { AddressState, Loaded } from './address-state';
import { ADDRESS_STYLE } from './address-style';

/** A link that runs a command of the extension: the document has no scripts. */
function link(id: CommandId, argument: unknown, label: string, title = ''): string {
  const query = encodeURIComponent(JSON.stringify([argument]));
  const tooltip = title === '' ? '' : ` title="${htmlText(title)}"`;
  return `<a href="command:${id}?${query}"${tooltip}>${htmlText(label)}</a>`;
}

const KINDS = (): Record<AddressFacts['kind'], string> => ({
  account: l10n.t('Account'),
  contract: l10n.t('Contract'),
  delegated: l10n.t('Account that runs a contract (EIP-7702)'),
});

/** The page as a document without scripts. @param nonce of its style sheet @param language BCP 47 */
export function addressHtml(state: AddressState, nonce: string, language = 'en'): string {
  const { chain, address, facts } = state;
  const name = facts && 'value' in facts ? facts.value.name : '';
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${htmlText(addressTitle(state))}</title>
    <style nonce="${nonce}">${ADDRESS_STYLE}</style>
  </head>
  <body>
    <main>
      <h1><bdi>${htmlText(name === '' ? shortHex(address) : name)}</bdi></h1>
      <p class="address"><bdi>${address}</bdi> ${htmlText(l10n.t('on {0}', chain))}</p>
      <nav aria-label="${attribute(l10n.t('Actions'))}">${actions(state).join('\n')}</nav>
      <section aria-labelledby="facts"><h2 id="facts">${htmlText(l10n.t('Facts'))}</h2>${part(facts, factsOf)}</section>
      <section class="balances" aria-labelledby="balances"><h2 id="balances">${htmlText(l10n.t('Token balances'))}</h2>${part(
        state.balances,
        (value) => balancesOf(state, value),
      )}</section>
      ${sourceSection(state)}
      <section aria-labelledby="transactions"><h2 id="transactions">${htmlText(l10n.t('Transactions'))}</h2>${part(
        state.transactions,
        (page) => transactionsOf(state, page),
      )}</section>
      ${recentSection(state)}
    </main>
  </body>
</html>`;
}

export const addressTitle = ({ address, facts }: AddressState): string =>
  facts && 'value' in facts && facts.value.name !== '' ? facts.value.name : shortHex(address);

function actions({ chain, address, explorer }: AddressState): string[] {
  const target = { chain, address };
  return [
    link('forklens.showAddress', target, l10n.t('Refresh')),
    link('forklens.nameAddress', address, l10n.t('Name address…')),
    link('forklens.watchAddress', target, l10n.t('Watch address…')),
    link('forklens.whenDidThisChange', target, l10n.t('When did this change…')),
    link('forklens.copyLiteral', address, l10n.t('Copy address')),
    ...(explorer === undefined
      ? []
      : [
          `<a href="${attribute(`${explorer}/address/${address}`)}">${htmlText(l10n.t('Open in block explorer'))}</a>`,
        ]),
  ];
}

function part<T>(loaded: Loaded<T>, shown: (value: T) => string): string {
  if (loaded === undefined)
    return `<p class="quiet" role="status">${htmlText(l10n.t('Loading…'))}</p>`;
  if ('value' in loaded) return shown(loaded.value);
  return `<p class="problem" role="alert">${htmlText(loaded.problem)}</p>`;
}

const rows = (facts: readonly (readonly [string, string])[]): string =>
  `<dl>${facts.map(([term, html]) => `<dt>${htmlText(term)}</dt><dd>${html}</dd>`).join('')}</dl>`;

function factsOf(facts: AddressFacts): string {
  const { kind, balance, nativeSymbol, nonce, codeSize, token, blockNumber } = facts;
  return rows([
    [l10n.t('Kind'), htmlText(KINDS()[kind])],
    [l10n.t('Balance'), htmlText(`${groupedDecimal(balance)} ${nativeSymbol}`)],
    [l10n.t('Nonce'), htmlText(grouped(nonce))],
    ...(codeSize === 0
      ? []
      : [[l10n.t('Code'), htmlText(l10n.t('{0} bytes', grouped(codeSize)))] as const]),
    ...(token === undefined ? [] : [[l10n.t('Token'), htmlText(tokenText(token))] as const]),
    [l10n.t('As of block'), htmlText(grouped(blockNumber))],
  ]);
}

function tokenText({
  symbol = '',
  decimals,
  source,
  disputedDecimals,
}: NonNullable<AddressFacts['token']>): string {
  return [
    symbol,
    ...(decimals === undefined ? [] : [l10n.t('with {0} decimals', decimals)]),
    ...(source === 'list' ? [l10n.t('by a list of well-known tokens')] : []),
    ...(disputedDecimals === undefined
      ? []
      : [
          l10n.t(
            '(disputed decimals: it answers {0}, a list of well-known tokens says {1})',
            disputedDecimals.own,
            disputedDecimals.listed,
          ),
        ]),
  ]
    .filter((one) => one !== '')
    .join(' ');
}

function balancesOf(
  { chain, address }: AddressState,
  { balances, blockNumber, asked }: TokenBalances,
): string {
  const where = l10n.t(
    'As of block {0}. Asked: {1} contracts, which are the known tokens of the chain and those of the transactions below.',
    grouped(blockNumber),
    grouped(asked),
  );
  const note = `<p class="quiet">${htmlText(where)}</p>`;
  if (balances.length === 0) {
    return `<p class="quiet">${htmlText(l10n.t('No balance was found'))}</p>${note}`;
  }
  const head = [l10n.t('Token'), l10n.t('Balance')];
  const body = balances.map(({ token, symbol, amount, rawAmount }) => {
    const name = link(
      'forklens.showAddress',
      { chain, address: token },
      symbol ?? shortHex(token),
      token,
    );
    const shown =
      amount === '' ? l10n.t('{0} raw units', groupedDecimal(rawAmount)) : groupedDecimal(amount);
    const change = { chain, expression: `${token}.balanceOf(${address})` };
    const linked = link(
      'forklens.whenDidThisChange',
      change,
      shown,
      l10n.t('When did this change…'),
    );
    return `<tr><td>${name}</td><td>${linked}</td></tr>`;
  });
  return `<table><thead><tr>${head.map((cell) => `<th scope="col">${htmlText(cell)}</th>`).join('')}</tr></thead><tbody>${body.join('')}</tbody></table>${note}`;
}

function sourceSection({ facts, source, chain }: AddressState): string {
  const hasCode = facts && 'value' in facts && facts.value.codeSize > 0;
  if (!hasCode) return '';
  return `<section aria-labelledby="source"><h2 id="source">${htmlText(l10n.t('Source'))}</h2>${part(
    source,
    (value) => sourceOf(value, chain),
  )}</section>`;
}

function sourceOf({ source, implementation, facets = [] }: AddressSource, chain: string): string {
  const named = (one: AddressSource['source']): string =>
    htmlText(one === null ? l10n.t('not known') : sourceText(one));
  const shown = (address: string): string =>
    link('forklens.showAddress', { chain, address }, shortHex(address), address);
  return rows([
    [l10n.t('Contract'), named(source)],
    ...(implementation === undefined
      ? []
      : [
          [
            l10n.t('Runs the code of'),
            `${shown(implementation.address)} ${named(implementation.source)}`,
          ] as const,
        ]),
    ...(facets.length === 0
      ? []
      : [[l10n.t('Facets'), facets.map((facet) => shown(facet)).join(' ')] as const]),
  ]);
}

const sourceText = ({ name, from, files }: NonNullable<AddressSource['source']>): string =>
  l10n.t('{0}, {1} files, from {2}', name, files.length, from);

function transactionsOf({ chain, address }: AddressState, page: AddressTransactions): string {
  if (!page.isIndexed) {
    const reason = l10n.t('The node has no index of transactions by address.');
    return `<p class="quiet">${htmlText(reason)}</p>`;
  }
  if (page.transactions.length === 0) {
    return `<p class="quiet">${htmlText(l10n.t('No transactions'))}</p>`;
  }
  const name = (party: string): string =>
    party === address
      ? `<bdi>${htmlText(page.labels[party] ?? shortHex(party))}</bdi>`
      : link(
          'forklens.showAddress',
          { chain, address: party },
          page.labels[party] ?? shortHex(party),
          party,
        );
  const head = [
    l10n.t('Transaction'),
    l10n.t('Block'),
    l10n.t('From'),
    l10n.t('To'),
    l10n.t('Value'),
    l10n.t('Outcome'),
  ];
  const body = page.transactions.map((one) => {
    const { hash, to, created, from, value, status, blockNumber } = one;
    const title =
      to === null ? l10n.t('create contract') : methodText(one) || l10n.t('native transfer');
    const receiver = to ?? created;
    const cells = [
      link('forklens.openTransaction', { chain, transaction: hash }, title, hash),
      htmlText(grouped(blockNumber)),
      name(from),
      receiver === null ? '' : name(receiver),
      value === '0' ? '' : htmlText(`${groupedDecimal(value)} ${page.nativeSymbol}`),
      status === false ? `<span class="problem">${htmlText(l10n.t('reverted'))}</span>` : '',
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const more =
    page.next === null
      ? ''
      : `<p>${link('forklens.loadMoreOfAddress', { chain, address }, l10n.t('Load more'))}</p>`;
  return `<table><thead><tr>${head.map((cell) => `<th scope="col">${htmlText(cell)}</th>`).join('')}</tr></thead><tbody>${body.join('')}</tbody></table>${more}`;
}

function recentSection({ recent }: AddressState): string {
  if (recent.length === 0) return '';
  const items = recent.map(
    ({ title, ...target }) =>
      `<li>${link('forklens.openTransaction', target, title, target.transaction)}</li>`,
  );
  return `<section aria-labelledby="recent"><h2 id="recent">${htmlText(l10n.t('Recently opened'))}</h2><ul>${items.join('')}</ul></section>`;
}
