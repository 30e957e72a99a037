import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FailedCall, SummaryCause, SummaryFailure } from '../../../server/api/summary';
import { Icon } from '../components/icon';
import { SourceLink } from '../components/source-link';
import { causeSegments, failedSegments } from '../../../server/presentation/failure-segments';
import { Sentence, useNaming } from '../components/sentence';
import { grouped } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { ConditionLines } from './condition-lines';

/** One failed call: its method, its reason, and its source. */
function FailedLine({ call, isFirst }: { call: FailedCall; isFirst: boolean }): VNode {
  const { state } = useInspector();
  const naming = useNaming();
  const place = state.locations.value.get(call.nodeId)?.failure;
  return (
    <li>
      <Icon name={isFirst ? 'error' : 'arrow-small-right'} />
      <span>
        <Sentence segments={failedSegments(call, isFirst ? 'first' : 'next', naming)} />
        {place && (
          <>
            {' '}
            <SourceLink place={place} />
          </>
        )}
      </span>
    </li>
  );
}

function CauseLine({ cause }: { cause: SummaryCause }): VNode {
  const naming = useNaming();
  return (
    <li>
      <Icon name="lightbulb" />
      <span>
        <Sentence segments={causeSegments(cause, naming)} />
      </span>
    </li>
  );
}

/** Why the transaction failed: the failed calls from the innermost outwards, and the conditions that are proved not to have held. */
export function FailureLines({ failure }: { failure: SummaryFailure }): VNode {
  const { state } = useInspector();
  const { chain, omitted, causes } = failure;
  const places = state.locations.value;
  const isInSource = chain.some(({ nodeId }) => places.get(nodeId)?.failure !== undefined);
  return (
    <>
      <h2>{l10n.t('Why it failed')}</h2>
      <ul class="list story">
        {causes.map((cause, index) => (
          <CauseLine key={index} cause={cause} />
        ))}
        {isInSource && <ConditionLines />}
        {chain.map((call, index) => (
          <FailedLine key={call.nodeId} call={call} isFirst={index === 0} />
        ))}
        {omitted > 0 && (
          <li class="quiet">
            {l10n.t('{0} calls in between are left out', grouped(String(omitted)))}
          </li>
        )}
      </ul>
    </>
  );
}
