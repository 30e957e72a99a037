import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FailedCall, SummaryCause, SummaryFailure } from '../../../server/api/summary';
import { AddressName } from '../components/address';
import { filled } from '../components/filled';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { Segments } from '../components/segments';
import { SourceLink } from '../components/source-link';
import { reasonSegments } from '../grammar/lines';
import { grouped, shownText, utcTime } from '../grammar/text';
import { useInspector } from '../ui-state/inspector-context';
import { ConditionLines } from './condition-lines';
import { Quantity } from './quantities';

const NAME_LIMIT = 60;
const REASON_LIMIT = 300;

/** One failed call: its method, its reason, and its source. */
function FailedLine({ call, isFirst }: { call: FailedCall; isFirst: boolean }): VNode {
  const { state } = useInspector();
  const { nodeId, contract, method, reason } = call;
  const place = state.locations.value.get(nodeId)?.failure;
  const names = state.names.value;
  const text = isFirst ? l10n.t('{0} [failed]({1}): {2}') : l10n.t('then {0} [failed]({1}): {2}');
  return (
    <li>
      <Icon name={isFirst ? 'error' : 'arrow-small-right'} />
      <span>
        {filled(
          text,
          <span class="plain">
            {contract === '' ? l10n.t('new contract') : <AddressName address={contract} />}
            {method !== '' && <bdi>.{shownText(method, NAME_LIMIT)}</bdi>}
          </span>,
          (words) => (
            <NodeLink id={nodeId}>{words}</NodeLink>
          ),
          reason === '' ? (
            <span class="quiet">{l10n.t('no reason given')}</span>
          ) : (
            <Segments segments={reasonSegments(shownText(reason, REASON_LIMIT), names)} />
          ),
        )}
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

/**
 * The sentence of a condition. Placeholders: {0} account, {1} spender, owner or contract, {2} what there was, {3} what was needed, {4} the
 * difference.
 */
function causeText({ kind }: SummaryCause): string {
  switch (kind) {
    case 'allowance':
      return l10n.t('{0} lets {1} spend {2}, but {3} was needed: {4} is missing');
    case 'balance':
      return l10n.t('{0} had {2}, but {3} was needed: {4} is missing');
    case 'nativeBalance':
      return l10n.t('{0} had less than {3}');
    case 'deadline':
      return l10n.t('The deadline {2} had passed: the time of the block was {3}');
    case 'owner':
      return l10n.t('The owner is {1}, but the caller was {0}');
    case 'paused':
      return l10n.t('{1} is paused');
    case 'slippage':
      return l10n.t('The swap gives {2}, but at least {3} was demanded: {4} is missing');
  }
}

function proofText({ proof }: SummaryCause): string {
  switch (proof) {
    case 'read':
      return l10n.t('Proved: read from the state before the transaction');
    case 'trace':
      return l10n.t('Proved by the [call tree]({0})');
    case 'block':
      return l10n.t('Proved by the header of the block');
    case 'error':
      return l10n.t('Proved by the error of the [call]({0})');
  }
}

function CauseLine({ cause }: { cause: SummaryCause }): VNode {
  const { kind, nodeId, proofNodeId = nodeId, account = '', contract, spender, owner } = cause;
  const isDeadline = kind === 'deadline';
  const time = (seconds = 0): VNode => <span class="number">{utcTime(seconds)}</span>;
  const quantity = (one: SummaryCause['has']): VNode => (
    <span>{one ? <Quantity quantity={one} /> : '?'}</span>
  );
  return (
    <li>
      <Icon name="lightbulb" />
      <span>
        {filled(
          causeText(cause),
          <AddressName address={account} />,
          <AddressName address={spender ?? owner ?? contract} />,
          isDeadline ? time(cause.deadline) : quantity(cause.has),
          isDeadline ? time(cause.blockTime) : quantity(cause.needs),
          quantity(cause.missing),
        )}
        {'. '}
        <span class="quiet">
          {filled(proofText(cause), (words) => (
            <NodeLink id={proofNodeId}>{words}</NodeLink>
          ))}
        </span>
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
