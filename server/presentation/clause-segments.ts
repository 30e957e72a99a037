import * as l10n from '@vscode/l10n';
import type { SummaryClause, SummaryQuantity, VenueKind } from '../api/summary';
import { argumentSegments, changeSegments, meansSegments } from './called-segments';
import { attemptText, clauseText } from './clause-text';
import { fillSentence, link } from './fill-sentence';
import {
  anyAmount,
  claimedMark,
  guessMark,
  isOfAnyAmount,
  quantitiesSegments,
  unitSegments,
  type Naming,
} from './quantity-segments';
import { quiet, words, type Segment } from './segment';
import { shownText } from './text';
import { addressSegment } from './values';

const NAME_LIMIT = 60;
const SUPPORT_LIMIT = 3;

/** What one account did, in a sentence, with links to the call tree and marks of what is not proved. */
export function clauseSegments(clause: SummaryClause, isDone: boolean, naming: Naming): Segment[] {
  const { actor, gave, got, omitted = 0, counterparty = '', recipient, nodeIds } = clause;
  const address = (at: string): Segment[] => [addressSegment(at, naming.names)];
  return [
    ...fillSentence(
      isDone ? clauseText(clause) : attemptText(clause),
      address(actor),
      link(nodeIds[0]),
      givenSegments(clause, naming, got.length === 0 ? omitted : 0),
      quantitiesSegments(got, naming, omitted),
      address(recipient ?? counterparty),
      detailSegments(clause, naming),
      address(counterparty),
    ),
    ...changeSegments(clause, naming),
    ...(clause.isClaimed && !gave.some((one) => one.isClaimed) ? [quiet(' '), claimedMark()] : []),
  ];
}

/** What was given; of a right what may be spent, of an unlimited or revoked one the unit alone. */
function givenSegments(
  { kind, gave, isUnlimited }: SummaryClause,
  naming: Naming,
  omitted: number,
): Segment[] {
  const unitOf = (one: SummaryQuantity): Segment[] => unitSegments(one, naming);
  if (kind === 'revoked') return listed(gave.map(unitOf));
  if (kind === 'approved' && (isUnlimited || gave.some(isOfAnyAmount))) {
    return listed(
      gave.map((one) =>
        one.standard === 'erc20'
          ? unitOf(one)
          : [...anyAmount(one, naming), ...(one.isClaimed ? [quiet(' '), claimedMark()] : [])],
      ),
    );
  }
  return quantitiesSegments(gave, naming, omitted);
}

const listed = (all: readonly Segment[][]): Segment[] =>
  all.flatMap((segments, index) => (index === 0 ? segments : [words(' + '), ...segments]));

function venueText(kind: VenueKind): string {
  switch (kind) {
    case 'uniswapV2':
      return l10n.t('the Uniswap V2 pair {0}');
    case 'uniswapV3':
      return l10n.t('the Uniswap V3 pool {0}');
    case 'uniswapV4':
      return l10n.t('Uniswap V4 ({0})');
    case 'curve':
      return l10n.t('the Curve pool {0}');
    case 'balancer':
      return l10n.t('Balancer ({0})');
    case 'other':
      return l10n.t('the pool {0}');
  }
}

function venueSegments({ venues = [], venueCount = 0 }: SummaryClause, naming: Naming): Segment[] {
  const [venue] = venues;
  if (!venue || venueCount > 1) return [words(l10n.t('{0} pools', venueCount))];
  return fillSentence(venueText(venue.kind), [addressSegment(venue.address, naming.names)]);
}

/** Pools, new code, proposal, bridge, or method. */
function detailSegments(clause: SummaryClause, naming: Naming): Segment[] {
  const { kind, implementation = '', proposal = '', support = '?', bridge, method = '' } = clause;
  switch (kind) {
    case 'swapped':
      return venueSegments(clause, naming);
    case 'upgraded':
      return [addressSegment(implementation, naming.names)];
    case 'voted': {
      const id = shownText(proposal, NAME_LIMIT);
      return [words(l10n.t('proposal {0} (support {1})', id, shownText(support, SUPPORT_LIMIT)))];
    }
    case 'bridged':
      return bridge === undefined
        ? [addressSegment(clause.counterparty ?? '', naming.names)]
        : [words(bridge)];
    case 'gained':
      return meansSegments(clause);
    default: {
      const name: Segment = {
        kind: 'method',
        text: method === '' ? '()' : shownText(method, NAME_LIMIT),
        foreign: method,
      };
      if (clause.arguments) return [name, ...argumentSegments(clause, naming)];
      return clause.isGuessed ? [name, quiet(' '), guessMark()] : [name];
    }
  }
}
