import type { VNode } from 'preact';
import type { Segment } from '../grammar/segment';
import { addressMark } from './highlight';

/**
 * A line of segments. Each piece is isolated, so that right-to-left text cannot reorder its neighbours. Adjacent quiet
 * segments form one piece.
 */
export function Segments({ segments }: { segments: readonly Segment[] }): VNode {
  return (
    <>
      {joined(segments).map(({ kind, text, title, plain, isContract }, index) => (
        <bdi
          key={index}
          class={isContract ? `${kind} contract` : kind}
          {...(title !== undefined && { title })}
          {...(kind === 'address' && addressMark(plain))}
        >
          {text}
        </bdi>
      ))}
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
