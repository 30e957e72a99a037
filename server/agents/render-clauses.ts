import type { ClauseKind, Summary, SummaryClause, VenueKind } from '../api/summary';
import { visibleText } from '../api/visible-text';
import { CLAIMED, joined, quantitiesText, unitText } from './summary-amounts';

type NameOf = (address: string) => string;

const METHOD_CHARACTERS = 60;

const VENUES: Readonly<Record<VenueKind, string>> = {
  uniswapV2: 'a Uniswap V2 pair',
  uniswapV3: 'a Uniswap V3 pool',
  uniswapV4: 'Uniswap V4',
  curve: 'a Curve pool',
  balancer: 'Balancer',
  other: 'a pool',
};

/** Verb of what was done, and of what was tried. */
const VERBS: Readonly<Record<ClauseKind, readonly [done: string, tried: string]>> = {
  sent: ['sent', 'send'],
  paid: ['paid', 'pay'],
  received: ['received', 'receive'],
  took: ['took', 'take'],
  swapped: ['swapped', 'swap'],
  bought: ['bought', 'buy'],
  sold: ['sold', 'sell'],
  minted: ['minted', 'mint'],
  burned: ['burned', 'burn'],
  wrapped: ['wrapped', 'wrap'],
  unwrapped: ['unwrapped', 'unwrap'],
  bridged: ['bridged', 'bridge'],
  deposited: ['deposited', 'deposit'],
  withdrew: ['withdrew', 'withdraw'],
  provided: ['provided', 'provide'],
  removed: ['removed', 'remove'],
  borrowed: ['borrowed', 'borrow'],
  repaid: ['repaid', 'repay'],
  liquidated: ['liquidated', 'liquidate'],
  claimed: ['claimed', 'claim'],
  approved: ['approved', 'approve'],
  revoked: ['revoked', 'revoke'],
  voted: ['voted', 'vote'],
  deployed: ['deployed', 'deploy'],
  upgraded: ['upgraded', 'upgrade'],
  called: ['called', 'call'],
};

/** One sentence: what the transaction did, or what it tried. Empty if there is nothing to tell. */
export function sentenceOf(
  { clauses, moreClauses }: Summary,
  isDone: boolean,
  nameOf: NameOf,
): string {
  const parts: string[] = [];
  let subject = '';
  for (const clause of clauses) {
    const actor = nameOf(clause.actor);
    const [done, tried] = VERBS[clause.kind];
    const verb = isDone ? done : `tried to ${tried}`;
    const claim = clause.isClaimed ? CLAIMED : '';
    const predicate = [verb, objectOf(clause, nameOf) + claim].filter(Boolean).join(' ');
    parts.push(actor === subject ? predicate : `${actor} ${predicate}`);
    subject = actor;
  }
  if (moreClauses > 0) parts.push(`${moreClauses} more`);
  const text = joined(parts);
  return text === '' ? '' : `${text}${isDone ? '' : ', and failed'}.`;
}

/** What follows the verb. */
function objectOf(clause: SummaryClause, nameOf: NameOf): string {
  const { kind, counterparty, recipient, omitted } = clause;
  const gave = quantitiesText(clause.gave, nameOf, clause.got.length === 0 ? omitted : 0);
  const got = `${clause.isAtLeast ? 'at least ' : ''}${quantitiesText(clause.got, nameOf, omitted)}`;
  const named = counterparty === undefined ? '' : nameOf(counterparty);
  const at = (word: string): string => (named === '' ? '' : ` ${word} ${named}`);
  const price = clause.gave.length === 0 ? '' : ` for ${gave}`;
  const answer = clause.got.length === 0 ? '' : ` for ${got}`;
  const beneficiary = recipient === undefined ? '' : ` to ${nameOf(recipient)}`;
  switch (kind) {
    case 'sent':
    case 'paid':
    case 'repaid':
      return `${gave}${at('to')}`;
    case 'received':
    case 'borrowed':
    case 'claimed':
      return `${got}${at('from')}`;
    case 'took':
      return `${got}${at('from')}${recipient === undefined ? '' : ` for ${nameOf(recipient)}`}`;
    case 'swapped':
      return `${gave}${answer}${beneficiary}${venueText(clause, nameOf)}`;
    case 'bought':
      return `${got}${price}${at('from')}`;
    case 'sold':
      return `${gave}${answer}${at('to')}`;
    case 'minted':
      return `${got}${beneficiary}${price}`;
    case 'burned':
    case 'wrapped':
    case 'unwrapped':
      return gave;
    case 'bridged':
      return `${gave} by the bridge of ${clause.bridge ?? named}`;
    case 'deposited':
      return `${gave}${at('in')}${answer}`;
    case 'withdrew':
    case 'removed':
      return `${got}${at('from')}${price}`;
    case 'provided':
      return `${gave}${at('to')}${answer}`;
    case 'liquidated':
      return `${named}, paying ${gave}${answer}`;
    case 'approved':
      return `${named} to spend ${spendable(clause, nameOf)}`;
    case 'revoked':
      return `the right of ${named} to spend ${unitsOf(clause, nameOf)}`;
    case 'voted':
      return `on proposal ${clause.proposal ?? ''}${at('of')} (support ${clause.support ?? '?'})`;
    case 'deployed':
      return named === '' ? 'a contract' : named;
    case 'upgraded':
      return `${named} to ${nameOf(clause.implementation ?? '')}`;
    case 'called':
      return calledText(clause, named, gave);
  }
}

function calledText(
  { method = '', isGuessed, gave }: SummaryClause,
  named: string,
  paid: string,
): string {
  const name = visibleText(method.slice(0, METHOD_CHARACTERS));
  const guess = isGuessed ? ' (a guess)' : '';
  const call = name === '' ? named : `${name}${guess} on ${named}`;
  return gave.length === 0 ? call : `${call} with ${paid}`;
}

const unitsOf = ({ gave }: SummaryClause, nameOf: NameOf): string =>
  joined(gave.map((one) => unitText(one, nameOf)));

function spendable(clause: SummaryClause, nameOf: NameOf): string {
  if (!clause.isUnlimited) return quantitiesText(clause.gave, nameOf);
  const isAll = clause.gave.some(({ standard }) => standard !== 'erc20');
  const claim = clause.gave.some((one) => one.isClaimed) ? CLAIMED : '';
  return `${isAll ? 'every token' : 'any amount'} of ${unitsOf(clause, nameOf)}${claim}`;
}

function venueText({ venues = [], venueCount = 0 }: SummaryClause, nameOf: NameOf): string {
  const [venue] = venues;
  if (!venue) return '';
  if (venueCount > 1) return ` on ${venueCount} pools`;
  return ` on ${VENUES[venue.kind]} (${nameOf(venue.address)})`;
}
