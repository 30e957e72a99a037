import type { VNode } from 'preact';

/** A codicon. An icon must not carry a meaning alone: set `label`, or put text beside it. */
export function Icon({ name, label }: { name: string; label?: string }): VNode {
  return (
    <span
      class={`codicon codicon-${name}`}
      {...(label === undefined
        ? { 'aria-hidden': 'true' as const }
        : { role: 'img' as const, 'aria-label': label, title: label })}
    />
  );
}
