import * as l10n from '@vscode/l10n';
import { changeProof, evidenceText } from '../../../server/presentation/change-evidence';
import { signed } from '../../../server/presentation/decimal';
import { reasonSegments } from '../../../server/presentation/lines';
import type { Names } from '../../../server/presentation/segment';
import { grouped, inert, networkName, shortHex, utcTime } from '../../../server/presentation/text';
import { cents, usdText } from '../../../server/presentation/usd';
import { markdownTable, markdownText } from '../export/markdown';
import { withoutEmpty } from '../export/tables';
import type { BalanceRow } from '../model/balance-model';
import type { Card } from './card';

const SENTENCE_LIMIT = 2000;

/** A row of the card's table. */
interface CardRow {
  account: string;
  roles: string;
  change: string;
  usd: string;
  direction: BalanceRow['direction'];
}

/** The card in words, for a picture or for Markdown. All texts are inert. */
export interface CardText {
  outcome: string;
  isDone: boolean;
  sentence: string;
  /** Empty for a transaction that succeeded. */
  reason: string;
  rows: CardRow[];
  /** Where and when, and how far it is proved. */
  place: string;
  verdict: string;
  hash: string;
}

function outcomeText(outcome: Card['summary']['outcome']): string {
  switch (outcome) {
    case 'success':
      return l10n.t('Success');
    case 'reverted':
      return l10n.t('Reverted');
    case 'failed':
      return l10n.t('Failed');
  }
}

function changeText(row: BalanceRow): string {
  const { plain, symbol, evidence, claimed = '', direction, raw } = row;
  const amount = direction === 'none' ? '0' : signed(plain);
  const unit = raw ? `${inert(symbol)} (${l10n.t('raw units')})` : inert(symbol);
  const note = evidenceText(evidence, claimed === '' ? '' : signed(claimed));
  return `${amount} ${unit}${note === '' ? '' : ` (${note})`}`;
}

function usdOf({ value, direction }: BalanceRow): string {
  const amount = cents(value);
  if (amount === undefined || direction === 'none') return '';
  return `${direction === 'in' ? '+' : '−'}${usdText(amount)}`;
}

export function cardText(card: Card, names: Names): CardText {
  const { flow, summary, verdict, sentence, parties } = card;
  const { chain, blockNumber, position, timestamp, hash } = flow.transaction;
  const place = [
    networkName(chain),
    l10n.t('block {0}', grouped(String(blockNumber))),
    l10n.t('position {0}', String(position)),
    utcTime(timestamp),
  ];
  return {
    outcome: outcomeText(summary.outcome),
    isDone: flow.status,
    sentence:
      sentence.length === 0
        ? inert(summary.method)
        : inert(sentence.map(({ text }) => text).join('')),
    reason:
      summary.failure === undefined
        ? ''
        : inert(
            reasonSegments(summary.failure.reason, names)
              .map(({ text }) => text)
              .join(''),
          ),
    rows: parties.flatMap(({ account, roles, rows }) => {
      const name = names(account);
      const who = name === undefined ? shortHex(account) : inert(name);
      if (rows.length === 0) {
        const change = l10n.t('no change');
        return [{ account: who, roles, change, usd: '', direction: 'none' as const }];
      }
      return rows.map((row, index) => ({
        account: index === 0 ? who : '',
        roles: index === 0 ? roles : '',
        change: changeText(row),
        usd: usdOf(row),
        direction: row.direction,
      }));
    }),
    place: place.join(' · '),
    verdict: verdict.word,
    hash: flow.simulation ? '' : hash,
  };
}

/** The card as Markdown for a report or a chat, with whole addresses. @param link opens the analysis; empty without one */
export function cardMarkdown(card: Card, names: Names, link: string): string {
  const { outcome, reason, place, verdict, hash, sentence } = cardText(card, names);
  const why = reason === '' ? [] : [l10n.t('**Why:** {0}', markdownText(reason, SENTENCE_LIMIT))];
  const { parties } = card;
  const hasClaims = parties.some(({ rows: all }) => all.some(({ claimed }) => claimed));
  const rows = parties.flatMap(({ account, roles, rows: changes }) =>
    changes.map((row) => [
      account,
      names(account) ?? '',
      roles,
      row.plain,
      row.symbol,
      row.value === '' ? '' : `${row.direction === 'out' ? '-' : ''}${row.value}`,
      changeProof(row.evidence),
      ...(hasClaims ? [row.claimed ?? ''] : []),
    ]),
  );
  const columns = ['account', 'name', 'role', 'change', 'asset', 'usd', 'proof'];
  if (hasClaims) columns.push('claimed');
  const where = [hash === '' ? '' : `\`${hash}\``, markdownText(place), markdownText(verdict)];
  return [
    `**${outcome}:** ${markdownText(sentence, SENTENCE_LIMIT)}`,
    ...why,
    ...(rows.length === 0 ? [] : [markdownTable(withoutEmpty({ columns, rows }))]),
    where.filter((text) => text !== '').join(' · '),
    ...(link === '' ? [] : [`<${link}>`]),
  ].join('\n\n');
}
