import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { SummaryClause, VenueKind } from '../../../server/api/summary';
import { AddressName } from '../components/address';
import { filled } from '../components/filled';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { grouped, shownText } from '../grammar/text';
import type { Flow } from '../protocol/protocol';
import { attemptText, clauseText } from './clause-text';
import { FailureLines } from './failure-lines';
import { FindingLines } from './finding-lines';
import { ContradictionLines } from './contradiction-lines';
import { AnyAmount, ClaimedMark, Quantities } from './quantities';

const NAME_LIMIT = 60;

const venueName = (kind: VenueKind): string => {
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
};

function Venues({ clause }: { clause: SummaryClause }): VNode {
  const { venues = [], venueCount = 0 } = clause;
  const [venue] = venues;
  if (!venue || venueCount > 1) return <span>{l10n.t('{0} pools', venueCount)}</span>;
  return <span>{filled(venueName(venue.kind), <AddressName address={venue.address} />)}</span>;
}

/** What stands for {5} in the sentence of a clause. */
function Detail({ clause }: { clause: SummaryClause }): VNode {
  const { kind, implementation = '', proposal = '', support, bridge = '', method = '' } = clause;
  switch (kind) {
    case 'swapped':
      return <Venues clause={clause} />;
    case 'upgraded':
      return <AddressName address={implementation} />;
    case 'voted': {
      const id = shownText(proposal, NAME_LIMIT);
      const text = l10n.t('proposal {0} (support {1})', id, shownText(support ?? '?', 3));
      return <bdi>{text}</bdi>;
    }
    case 'bridged':
      return <bdi>{bridge}</bdi>;
    default:
      return (
        <>
          <bdi>{shownText(method === '' ? '()' : method, NAME_LIMIT)}</bdi>
          {clause.isGuessed && <span class="quiet"> {l10n.t('(a guess)')}</span>}
        </>
      );
  }
}

function Clause({ clause, isDone }: { clause: SummaryClause; isDone: boolean }): VNode {
  const { actor, gave, got, omitted, counterparty, recipient, isUnlimited, nodeIds } = clause;
  const [first = 0] = nodeIds;
  const [right] = gave;
  return (
    <li>
      <Icon name={isDone ? 'arrow-small-right' : 'error'} />
      <span>
        {filled(
          isDone ? clauseText(clause) : attemptText(clause),
          <AddressName address={actor} />,
          (words) => (
            <NodeLink id={first}>{words}</NodeLink>
          ),
          isUnlimited && right ? (
            <>
              <AnyAmount quantity={right} />
              {right.isClaimed && <ClaimedMark />}
            </>
          ) : (
            <Quantities all={gave} {...(got.length === 0 && omitted ? { omitted } : {})} />
          ),
          <Quantities all={got} {...(omitted ? { omitted } : {})} />,
          <AddressName address={recipient ?? counterparty ?? ''} />,
          <Detail clause={clause} />,
          <AddressName address={counterparty ?? ''} />,
        )}
        {clause.isClaimed && <ClaimedMark />}
      </span>
    </li>
  );
}

/** What the transaction did, why it failed, and what an auditor should look at, each with links to the call tree. */
export function Summary({ flow }: { flow: Flow }): VNode | null {
  const { summary, status } = flow;
  if (!summary) return null;
  const { clauses, moreClauses, failure, contradictions = [], moreContradictions = 0 } = summary;
  return (
    <>
      <h2>{l10n.t('What happened')}</h2>
      <ul class="list story">
        {clauses.map((clause, index) => (
          <Clause key={index} clause={clause} isDone={status} />
        ))}
        {moreClauses > 0 && (
          <li class="quiet">{l10n.t('and {0} more', grouped(String(moreClauses)))}</li>
        )}
      </ul>
      <ContradictionLines all={contradictions} more={moreContradictions} />
      {failure && <FailureLines failure={failure} />}
      <FindingLines findings={summary.findings} more={summary.moreFindings} />
    </>
  );
}
