import type { VNode } from 'preact';

/** A codicon. Icons never stand alone for a meaning: give `label`, or text beside it. */
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
