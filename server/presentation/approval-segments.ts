import * as l10n from '@vscode/l10n';
import type { SummaryApproval } from '../api/summary';
import { fillSentence, link } from './fill-sentence';
import {
  assetSegments,
  claimedMark,
  isOfAnyAmount,
  quantitySegments,
  type Naming,
} from './quantity-segments';
import { quiet, type Segment } from './segment';
import { addressSegment } from './values';

const isUnlimitedRight = ({ isUnlimited, quantity }: SummaryApproval): boolean =>
  isUnlimited === true || isOfAnyAmount(quantity);

/** Text with placeholders for owner {0}, spender {2}, token {3} and the amount or token id {4}. */
function approvalText(approval: SummaryApproval): string {
  const { quantity, isRevoked } = approval;
  const { standard, tokenId } = quantity;
  if (tokenId !== undefined) {
    return isRevoked
      ? l10n.t('{0} [no longer lets]({1}) {2} spend {4}')
      : l10n.t('{0} [lets]({1}) {2} spend {4}');
  }
  if (standard !== 'erc20') {
    return isRevoked
      ? l10n.t('{0} [no longer lets]({1}) {2} spend every token of {3}')
      : l10n.t('{0} [lets]({1}) {2} spend every token of {3}');
  }
  if (isRevoked) return l10n.t('{0} [no longer lets]({1}) {2} spend {3}');
  return isUnlimitedRight(approval)
    ? l10n.t('{0} [gave]({1}) {2} [unlimited approval for]({4}) {3}')
    : l10n.t('{0} [lets]({1}) {2} spend {4}');
}

/** A sentence about an approval that the transaction leaves behind. What is not proved is marked. */
export function approvalSegments(approval: SummaryApproval, naming: Naming): Segment[] {
  const { owner, spender, quantity, isRevoked, nodeIds } = approval;
  const address = (at: string): Segment[] => [addressSegment(at, naming.names)];
  const isMarked = quantity.isClaimed && (isUnlimitedRight(approval) || isRevoked === true);
  return [
    ...fillSentence(
      approvalText(approval),
      address(owner),
      link(nodeIds[0]),
      address(spender),
      assetSegments(quantity, naming),
      (text) => (text === '' ? quantitySegments(quantity, naming) : [{ kind: 'strong', text }]),
    ),
    ...(isMarked ? [quiet(' '), claimedMark()] : []),
  ];
}
