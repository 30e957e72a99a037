import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ConditionPart, FailedCondition } from '../../../server/api/recording-conditions';
import { filled } from '../components/filled';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { Segments } from '../components/segments';
import { SourceLink } from '../components/source-link';
import {
  comparisonSegments,
  conditionText,
  operandsOf,
} from '../../../server/presentation/conditions';
import { shownText } from '../../../server/presentation/text';
import { indexOfNode, invocationAt } from '../model/tree-model';
import { useInspector } from '../ui-state/inspector-context';

const PART_LIMIT = 120;

type Params = Parameters<typeof comparisonSegments>[1];

function Part({ part, params }: { part: ConditionPart; params: Params }): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  const compared = comparisonSegments(part, params, names);
  if (compared.length > 0) return <Segments segments={compared} />;
  const text = part.isTrue ? l10n.t('{0} is true') : l10n.t('{0} is false');
  const given = operandsOf(part, names);
  return (
    <>
      {filled(text, <code>{shownText(part.text, PART_LIMIT)}</code>)}
      {given.length > 0 && (
        <span class="quiet">
          {' ('}
          <Segments segments={given} />)
        </span>
      )}
    </>
  );
}

function ConditionLine({ condition }: { condition: FailedCondition }): VNode {
  const { state } = useInspector();
  const { nodeId, parts, place } = condition;
  const { tree } = state.calls;
  const index = nodeId === undefined ? undefined : indexOfNode(tree.value.rows, nodeId);
  const call = index === undefined ? undefined : invocationAt(tree.value, index);
  const params = call?.decodedMethod?.callParams ?? [];
  const code = <code>{conditionText(condition)}</code>;
  return (
    <li>
      <Icon name="symbol-boolean" />
      <span>
        {nodeId === undefined ? code : <NodeLink id={nodeId}>{code}</NodeLink>}
        {parts.map((part, at) => (
          <span key={at}>
            {at === 0 ? ': ' : '; '}
            <Part part={part} params={params} />
          </span>
        ))}{' '}
        <SourceLink place={place} />
      </span>
    </li>
  );
}

/** The conditions of the source that failed, with their values. They are asked for when they are shown: the transaction is recorded for them. */
export function ConditionLines(): VNode | null {
  const { state } = useInspector();
  const part = state.parts.failedConditions.value;
  const isAsked = part.state !== 'idle';
  useEffect(() => {
    if (!isAsked) state.load('failedConditions');
  }, [state, isAsked]);
  if (part.state === 'loading') {
    return (
      <li class="quiet" role="status">
        <Icon name="loading" />
        {l10n.t('Looking for the condition in the source…')}
      </li>
    );
  }
  if (part.state !== 'ready') return null;
  return (
    <>
      {part.value.conditions.map((condition, index) => (
        <ConditionLine key={index} condition={condition} />
      ))}
    </>
  );
}
