import type { VNode } from 'preact';
import type { Naming } from '../../../server/presentation/quantity-segments';
import type { Segment } from '../../../server/presentation/segment';
import { useInspector } from '../ui-state/inspector-context';
import { NodeLink } from './node-link';
import { Segments } from './segments';

/** What the names in the sentences of this analysis are taken from. */
export function useNaming(): Naming {
  const { state } = useInspector();
  return { names: state.names.value, nativeSymbol: state.nativeSymbol.value };
}

function Piece({ segment }: { segment: Segment }): VNode {
  const { kind, text, title, nodeId } = segment;
  if (nodeId !== undefined) return <NodeLink id={nodeId}>{text}</NodeLink>;
  const tip = title === undefined ? {} : { title };
  switch (kind) {
    case 'text':
      return <>{text}</>;
    case 'strong':
      return <strong>{text}</strong>;
    case 'amount':
      return (
        <span class="number" {...tip}>
          {text}
        </span>
      );
    case 'quiet':
      return (
        <span class="quiet" {...tip}>
          {text}
        </span>
      );
    case 'unit':
    case 'method':
      return <bdi {...tip}>{text}</bdi>;
    case 'mark':
      return (
        <span class="kind odd" {...tip}>
          {text}
        </span>
      );
    default:
      return <Segments segments={[segment]} />;
  }
}

/** A sentence about the transaction, with links to the call tree and marks of what is not proved. */
export function Sentence({ segments }: { segments: readonly Segment[] }): VNode {
  return (
    <>
      {segments.map((segment, index) => (
        <Piece key={index} segment={segment} />
      ))}
    </>
  );
}
