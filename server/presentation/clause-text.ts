import * as l10n from '@vscode/l10n';
import type { SummaryClause } from '../api/summary';
import { isOfAnyAmount } from './quantity-segments';
import { shownText } from './text';

const KIND_LIMIT = 40;

/** The sentence of a clause by its kind, with the placeholders of `clauseText`. */
const TEXTS: Readonly<Record<SummaryClause['kind'], (clause: SummaryClause) => string>> = {
  sent: () => l10n.t('{0} [sent]({1}) {2} to {4}'),
  paid: (clause) =>
    hasOther(clause) ? l10n.t('{0} [paid]({1}) {2} to {4}') : l10n.t('{0} [paid]({1}) {2}'),
  received: (clause) =>
    hasOther(clause)
      ? l10n.t('{0} [received]({1}) {3} from {4}')
      : l10n.t('{0} [received]({1}) {3}'),
  took: (clause) =>
    clause.recipient === undefined
      ? l10n.t('{0} [took]({1}) {3} from {6}')
      : l10n.t('{0} [took]({1}) {3} from {6} for {4}'),
  swapped: (clause) =>
    clause.recipient === undefined
      ? l10n.t('{0} [swapped]({1}) {2} for {3} on {5}')
      : l10n.t('{0} [swapped]({1}) {2} for {3}, received by {4}, on {5}'),
  bought: (clause) =>
    hasOther(clause)
      ? l10n.t('{0} [bought]({1}) {3} for {2} from {4}')
      : l10n.t('{0} [bought]({1}) {3} for {2}'),
  sold: (clause) =>
    hasOther(clause)
      ? l10n.t('{0} [sold]({1}) {2} for {3} to {4}')
      : l10n.t('{0} [sold]({1}) {2} for {3}'),
  minted: (clause) => {
    if (clause.recipient !== undefined) return l10n.t('{0} [minted]({1}) {3} to {4}');
    return clause.gave.length > 0
      ? l10n.t('{0} [minted]({1}) {3} for {2}')
      : l10n.t('{0} [minted]({1}) {3}');
  },
  burned: () => l10n.t('{0} [burned]({1}) {2}'),
  wrapped: () => l10n.t('{0} [wrapped]({1}) {2}'),
  unwrapped: () => l10n.t('{0} [unwrapped]({1}) {2}'),
  bridged: () => l10n.t('{0} [bridged]({1}) {2} by the bridge of {5}'),
  deposited: (clause) =>
    clause.got.length > 0
      ? l10n.t('{0} [deposited]({1}) {2} in {4} for {3}')
      : l10n.t('{0} [deposited]({1}) {2} in {4}'),
  withdrew: (clause) =>
    clause.gave.length > 0
      ? l10n.t('{0} [withdrew]({1}) {3} from {4} for {2}')
      : l10n.t('{0} [withdrew]({1}) {3} from {4}'),
  provided: (clause) =>
    clause.got.length > 0
      ? l10n.t('{0} [provided]({1}) {2} to {4} for {3}')
      : l10n.t('{0} [provided]({1}) {2} to {4}'),
  removed: (clause) =>
    clause.gave.length > 0
      ? l10n.t('{0} [removed]({1}) {3} from {4} for {2}')
      : l10n.t('{0} [removed]({1}) {3} from {4}'),
  borrowed: () => l10n.t('{0} [borrowed]({1}) {3} from {4}'),
  repaid: () => l10n.t('{0} [repaid]({1}) {2} to {4}'),
  liquidated: (clause) =>
    clause.got.length > 0
      ? l10n.t('{0} [liquidated]({1}) {4}: paid {2} for {3}')
      : l10n.t('{0} [liquidated]({1}) {4}: paid {2}'),
  claimed: (clause) =>
    hasOther(clause) ? l10n.t('{0} [claimed]({1}) {3} from {4}') : l10n.t('{0} [claimed]({1}) {3}'),
  approved: (clause) =>
    clause.isUnlimited && clause.gave.every(({ standard }) => standard === 'erc20')
      ? l10n.t('{0} [gave]({1}) {4} unlimited approval for {2}')
      : l10n.t('{0} [lets]({1}) {4} spend {2}'),
  revoked: () => l10n.t('{0} [no longer lets]({1}) {4} spend {2}'),
  voted: () => l10n.t('{0} [voted]({1}) on {5} of {4}'),
  deployed: (clause) =>
    hasOther(clause) ? l10n.t('{0} [deployed]({1}) {4}') : l10n.t('{0} [deployed]({1}) a contract'),
  upgraded: () => l10n.t('{0} [upgraded]({1}) {4} to {5}'),
  gained: (clause) => gainedText(clause),
  called: (clause) => calledText(clause),
};

const hasOther = ({ counterparty }: SummaryClause): boolean => counterparty !== undefined;

/**
 * The sentence of a clause. Placeholders: {0} actor, {1} link to the call, {2} what was given, {3} what was got, {4} the recipient, else the
 * other side, {5} pools, method or new code, {6} the other side.
 */
export const clauseText = (clause: SummaryClause): string =>
  Object.hasOwn(TEXTS, clause.kind) ? TEXTS[clause.kind](clause) : unknownText(clause.kind);

/** Of a kind that only newer services know. */
const unknownText = (kind: string): string =>
  l10n.t('{0} [did “{kind}”]({1}), for which this version has no words', {
    kind: shownText(kind, KIND_LIMIT),
  });

function gainedText({ recipient, means = [] }: SummaryClause): string {
  if (recipient === undefined) {
    return means.length === 0
      ? l10n.t('{0} [gained]({1}) {3}')
      : l10n.t('{0} [gained]({1}) {3} by {5}');
  }
  return means.length === 0
    ? l10n.t('{0} [gained]({1}) {3}, held by {4}')
    : l10n.t('{0} [gained]({1}) {3}, held by {4}, by {5}');
}

function calledText({ method, gave, arguments: known }: SummaryClause): string {
  if (known) {
    return gave.length > 0
      ? l10n.t('{0} [called]({1}) {4}.{5} with {2}')
      : l10n.t('{0} [called]({1}) {4}.{5}');
  }
  if (method === '') {
    return gave.length > 0
      ? l10n.t('{0} [called]({1}) {4} with {2}')
      : l10n.t('{0} [called]({1}) {4}');
  }
  return gave.length > 0
    ? l10n.t('{0} [called]({1}) {5} on {4} with {2}')
    : l10n.t('{0} [called]({1}) {5} on {4}');
}

/** The sentence of what a failed transaction was to do, with the same placeholders. */
export function attemptText(clause: SummaryClause): string {
  switch (clause.kind) {
    case 'sent':
      return l10n.t('{0} [tried to send]({1}) {2} to {4}, and failed');
    case 'swapped':
      return clause.isAtLeast
        ? l10n.t('{0} [tried to swap]({1}) {2} for at least {3}, and failed')
        : l10n.t('{0} [tried to swap]({1}) {2} for {3}, and failed');
    case 'approved':
      return clause.gave.some(isOfAnyAmount)
        ? l10n.t('{0} [tried to give]({1}) {4} unlimited approval for {2}, and failed')
        : l10n.t('{0} [tried to let]({1}) {4} spend {2}, and failed');
    case 'minted':
      return clause.recipient === undefined
        ? l10n.t('{0} [tried to mint]({1}) {3}, and failed')
        : l10n.t('{0} [tried to mint]({1}) {3} to {4}, and failed');
    case 'wrapped':
      return l10n.t('{0} [tried to wrap]({1}) {2}, and failed');
    case 'deployed':
      return l10n.t('{0} [tried to deploy]({1}) a contract, and failed');
    default:
      if (clause.arguments) {
        return clause.gave.length > 0
          ? l10n.t('{0} [tried to call]({1}) {4}.{5} with {2}, and failed')
          : l10n.t('{0} [tried to call]({1}) {4}.{5}, and failed');
      }
      return clause.gave.length > 0
        ? l10n.t('{0} [tried to call]({1}) {5} on {4} with {2}, and failed')
        : l10n.t('{0} [tried to call]({1}) {5} on {4}, and failed');
  }
}
