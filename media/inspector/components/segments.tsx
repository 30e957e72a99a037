import type { VNode } from 'preact';
import type { Segment } from '../../../server/presentation/segment';
import { addressMark } from './highlight';

interface SegmentsProps {
  segments: readonly Segment[];
  /** Inside an element of the class `line`, whose own text is quiet: punctuation needs no elements, which are half of all in a row. */
  isLine?: boolean;
}

/**
 * A line of segments. Each piece is isolated, so that right-to-left text cannot reorder its neighbours. Adjacent quiet
 * segments form one piece.
 */
export function Segments({ segments, isLine = false }: SegmentsProps): VNode {
  return (
    <>
      {joined(segments).map(({ kind, text, title, plain, isContract }, index) =>
        isLine && kind === 'quiet' && title === undefined ? (
          text
        ) : (
          <bdi
            key={index}
            class={isContract ? `${kind} contract` : kind}
            {...(title !== undefined && { title })}
            {...(kind === 'address' && addressMark(plain))}
          >
            {text}
          </bdi>
        ),
      )}
    </>
  );
}

function joined(segments: readonly Segment[]): Segment[] {
  const pieces: Segment[] = [];
  for (const segment of segments) {
    const last = pieces.at(-1);
    if (last?.kind === 'quiet' && segment.kind === 'quiet' && !last.title && !segment.title)
      pieces[pieces.length - 1] = { kind: 'quiet', text: last.text + segment.text };
    else pieces.push(segment);
  }
  return pieces;
}
