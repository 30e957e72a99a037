import type { VNode } from 'preact';
import type { Segment } from '../grammar/segment';
import { addressMark } from './highlight';

/** A line of the grammar: each piece isolated, so that right-to-left text cannot reorder its neighbours. */
export function Segments({ segments }: { segments: readonly Segment[] }): VNode {
  return (
    <>
      {segments.map(({ kind, text, title, plain }, index) => (
        <bdi
          key={index}
          class={kind}
          {...(title !== undefined && { title })}
          {...(kind === 'address' && addressMark(plain))}
        >
          {text}
        </bdi>
      ))}
    </>
  );
}
