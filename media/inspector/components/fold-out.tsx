import type { Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';

interface FoldOutProps {
  id: string;
  title: ComponentChildren;
  /** Whether the content is shown. */
  isOpen: Signal<boolean>;
  children: ComponentChildren;
}

/** A section that opens on demand. */
export function FoldOut({ id, title, isOpen, children }: FoldOutProps): VNode {
  return (
    <details
      id={id}
      class="fold-out"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}
