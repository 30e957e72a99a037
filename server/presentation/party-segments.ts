import * as l10n from '@vscode/l10n';
import { netText } from '../api/net-amount';
import type { ChangeEvidence } from '../api/shown-change';
import type { Party, PartyChange, PartyRole } from '../api/summary-parties';
import { evidenceText } from './change-evidence';
import { signed } from './decimal';
import { fillSentence } from './fill-sentence';
import { quantitySegments, type Naming } from './quantity-segments';
import { quiet, words, type Segment } from './segment';
import { grouped, shownText } from './text';
import { cents, usdText } from './usd';
import { addressSegment } from './values';

const ROLE_LIMIT = 40;

/** Why an account is shown, in words. */
function roleText(role: PartyRole): string {
  switch (role) {
    case 'sender':
      return l10n.t('sender');
    case 'receiver':
      return l10n.t('receiver');
    case 'largestGain':
      return l10n.t('largest gain');
    case 'largestLoss':
      return l10n.t('largest loss');
    default:
      // A role that only newer services know.
      return shownText(role satisfies never, ROLE_LIMIT);
  }
}

/**
 * All that is said of why an account is shown, such as `receiver, created by the sender`. Empty for an account that gained most of one asset
 * and lost most of another: the changes say it.
 */
export function rolesText({ roles, isOwn }: Pick<Party, 'roles' | 'isOwn'>): string {
  const isMixed = roles.includes('largestGain') && roles.includes('largestLoss');
  const shown = isMixed ? roles.filter((role) => !EXTREMES.has(role)) : roles;
  const own = isOwn ? [l10n.t('created by the sender')] : [];
  return [...shown.map((role) => roleText(role)), ...own].join(', ');
}
const EXTREMES = new Set<PartyRole>(['largestGain', 'largestLoss']);

/** What a change of a party rests on. */
export function partyEvidence({ isClaimed, claimed }: PartyChange): ChangeEvidence {
  if (isClaimed) return 'claimed';
  if (claimed === undefined) return 'measured';
  return claimed.rawAmount === '0' ? 'unreported' : 'contradicted';
}

/** A net change with its sign: `+3 ETH ($9,000.00)`, `−PASS #7`, `+1 USDC (events claim +5)`. */
function partyChangeSegments(change: PartyChange, naming: Naming): Segment[] {
  const { claimed, value = '' } = change;
  const evidence = partyEvidence(change);
  const claim = claimed === undefined ? '' : signed(netText(claimed));
  // A claim has its own mark.
  const note = evidence === 'claimed' ? '' : evidenceText(evidence, claim);
  const usd = cents(value);
  const notes = [...(usd === undefined ? [] : [usdText(usd)]), ...(note === '' ? [] : [note])];
  return [
    words(change.sign ? '+' : '−'),
    ...quantitySegments(change, naming),
    ...(notes.length === 0 ? [] : [quiet(` (${notes.join(', ')})`)]),
  ];
}

/** An account that matters: `carol (sender): +69.98 hUSD`. */
export function partySegments(party: Party, naming: Naming): Segment[] {
  const { account, changes, moreChanges = 0 } = party;
  const listed = changes.flatMap((change, index) => [
    ...(index === 0 ? [] : [words(', ')]),
    ...partyChangeSegments(change, naming),
  ]);
  const rest =
    moreChanges === 0 ? [] : [quiet(` ${l10n.t('and {0} more', grouped(String(moreChanges)))}`)];
  const roles = rolesText(party);
  return fillSentence(
    roles === '' ? l10n.t('{0}: {2}') : l10n.t('{0} ({1}): {2}'),
    [addressSegment(account, naming.names)],
    [words(roles)],
    changes.length === 0 ? [words(l10n.t('no change'))] : [...listed, ...rest],
  );
}
