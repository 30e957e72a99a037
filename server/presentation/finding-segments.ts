import * as l10n from '@vscode/l10n';
import type { Finding } from '../api/summary';
import { fillSentence } from './fill-sentence';
import {
  claimedMark,
  quantitiesSegments,
  quantitySegments,
  type Naming,
} from './quantity-segments';
import { quiet, words, type Segment } from './segment';
import { shownText } from './text';
import { addressSegment } from './values';

const KIND_LIMIT = 40;

/**
 * The sentence of a finding. Placeholders: {0} contract, {1} account, {2} other account, {3} earlier owner, {4} and {5} amounts, {6}
 * recipient.
 */
function findingText(finding: Finding): string {
  const { kind, amounts } = finding;
  switch (kind) {
    case 'eventsContradicted':
      return contradictedText(finding);
    case 'imitatedToken':
      return l10n.t(
        'Imitated name: {0} is not the well-known token of that name, which has another address',
      );
    case 'delegatedToUnknown':
      return l10n.t(
        'Delegation: {1} now runs the code of {0}, which is on no list of well-known contracts',
      );
    case 'delegatedAndEmptied':
      return finding.recipient === undefined
        ? l10n.t('Delegated and emptied: {1} took on the code of {0}, and lost {4}')
        : l10n.t('Delegated and emptied: {1} took on the code of {0}, and lost {4} to {6}');
    case 'controlAndFunds':
      return finding.before === undefined
        ? l10n.t('Control and funds: {0} now runs {2}, and {4} of it went to {6}')
        : l10n.t('Control and funds: {0} passed from {3} to {2}, and {4} of it went to {6}');
    case 'approvedAndSpent':
      return finding.recipient === undefined
        ? l10n.t(
            'Approved and spent: {1} approved {2}, which took {4} in the same transaction and gave nothing for it',
          )
        : l10n.t(
            'Approved and spent: {1} approved {2}, which took {4} for {6} in the same transaction and gave nothing for it',
          );
    case 'reentered':
      return l10n.t(
        'Reentrancy: {1} called {0} again while it was paid, and was paid again: {4} in all',
      );
    case 'flashLoan':
      return l10n.t('Flash loan: {1} borrowed {4} from {0} and gave it back');
    case 'reserveMoved':
      return l10n.t('Price moved: {1} read the price of {0} between two opposite swaps');
    case 'approvalDrained':
      return l10n.t('Approval used: {2} took {4} from {1}, and gave nothing for it');
    case 'ownerChanged':
      return l10n.t('Owner changed: {0} from {3} to {2}');
    case 'implementationChanged':
      return l10n.t('Code changed: {0} now runs {2}');
    case 'freshDelegatecall':
      return l10n.t('Fresh code: {0} ran {2}, which the transaction created');
    case 'selfDestruct':
      return amounts.length === 0
        ? l10n.t('Self-destruct: {0}')
        : l10n.t('Self-destruct: {0} sent {4} to {1}');
    case 'transferFee':
      return l10n.t('Transfer fee: of {4} only {5} arrived at {2}');
    case 'decimalsDisputed':
      return l10n.t(
        'Disputed decimals: {0} answers {4}, a list of well-known tokens says {5}. Its amounts are shown in the smallest unit',
      );
    case 'approvalToAccount':
      return l10n.t(
        'Approval to an account: {2} is not a contract, and can take {4} from {1} at any time',
      );
    case 'sandwiched':
      return l10n.t('Sandwich: {1} traded with {0} before and after, and sold what it had bought');
    case 'unlimitedApproval':
      return l10n.t('Unlimited approval: {2} can take any amount of {0} from {1}');
    default:
      return unknownText(kind);
  }
}

/** Of a kind that only newer services know. */
const unknownText = (kind: never): string =>
  l10n.t('Finding “{kind}” about {0}, for which this version has no words', {
    kind: shownText(kind, KIND_LIMIT),
  });

function contradictedText({ amounts: [claimed, measured] }: Finding): string {
  if (measured === undefined) {
    return l10n.t(
      'Events are not balances: {0} moved the balance of {1} in the other direction than it emitted',
    );
  }
  if (measured.rawAmount === '0') {
    return l10n.t('Events are not balances: {0} emitted {4}, moved nothing of {1}');
  }
  return claimed?.rawAmount === '0'
    ? l10n.t('Events are not balances: {0} emitted nothing, moved {5} of {1}')
    : l10n.t('Events are not balances: {0} emitted {4}, moved {5} of {1}');
}

/** Kinds whose amounts are one loss. */
const SUMS = new Set<Finding['kind']>(['delegatedAndEmptied', 'controlAndFunds']);

/** A security finding in a sentence, with the mark of what is not proved. */
export function findingSegments(finding: Finding, naming: Naming): Segment[] {
  const { contract, account = '', other = '', before = '', recipient = '' } = finding;
  const { amounts, decimals } = finding;
  const address = (at: string): Segment[] => [addressSegment(at, naming.names)];
  const quantity = (index: 0 | 1): Segment[] => {
    if (decimals) return [words(String(index === 0 ? decimals.own : decimals.listed))];
    const found = amounts[index];
    return found === undefined ? [] : quantitySegments(found, naming);
  };
  const isSum = SUMS.has(finding.kind);
  return [
    ...fillSentence(
      findingText(finding),
      address(contract),
      address(account),
      address(other),
      address(before),
      isSum ? quantitiesSegments(amounts, naming) : quantity(0),
      quantity(1),
      address(recipient),
    ),
    ...(finding.isClaimed && !amounts.some((one) => one.isClaimed)
      ? [quiet(' '), claimedMark()]
      : []),
  ];
}
