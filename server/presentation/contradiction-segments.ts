import * as l10n from '@vscode/l10n';
import type { NetAmount } from '../api/net-amount';
import type { SummaryContradiction } from '../api/summary';
import { fillSentence, link } from './fill-sentence';
import { anyAmount, quantitySegments, type Naming } from './quantity-segments';
import { words, type Segment } from './segment';
import { addressSegment } from './values';

const isZero = ({ rawAmount }: NetAmount): boolean => rawAmount === '0';

/** Placeholders: {0} account, {1} link to the event, {2} what is claimed, {3} what was measured, {4} spender. */
function contradictionText({ kind, standard, claimed, measured }: SummaryContradiction): string {
  if (kind === 'allowance') {
    return isZero(measured)
      ? l10n.t('The allowance of {0} for {4} is zero; [an event claims]({1}) {2}')
      : l10n.t('The allowance of {0} for {4} is {3}; [an event claims]({1}) {2}');
  }
  if (standard === 'native') {
    if (isZero(claimed)) return l10n.t('{0}: the balance changed by {3}, and no call says so');
    return isZero(measured)
      ? l10n.t('{0}: the balance did not change; [the calls claim]({1}) {2}')
      : l10n.t('{0}: the balance changed by {3}; [the calls claim]({1}) {2}');
  }
  if (isZero(claimed)) return l10n.t('{0}: the balance changed by {3}, and no event says so');
  return isZero(measured)
    ? l10n.t('{0}: the balance did not change; [the events claim]({1}) {2}')
    : l10n.t('{0}: the balance changed by {3}; [the events claim]({1}) {2}');
}

/** An amount with its sign; of a right without one. */
function netSegments(one: SummaryContradiction, net: NetAmount, naming: Naming): Segment[] {
  const quantity = { ...one, ...net };
  if (one.kind === 'allowance' && one.standard !== 'erc20' && one.tokenId === undefined) {
    return isZero(net) ? [words('0')] : anyAmount(quantity, naming);
  }
  const amount = quantitySegments(quantity, naming);
  return one.kind === 'balance' ? [words(net.sign ? '+' : '−'), ...amount] : amount;
}

/** What events claim and the state contradicts, with the measured amount. */
export function contradictionSegments(one: SummaryContradiction, naming: Naming): Segment[] {
  const { account, spender = '', claimed, measured, nodeIds } = one;
  const address = (at: string): Segment[] => [addressSegment(at, naming.names)];
  return fillSentence(
    contradictionText(one),
    address(account),
    link(nodeIds[0]),
    netSegments(one, claimed, naming),
    netSegments(one, measured, naming),
    address(spender),
  );
}
