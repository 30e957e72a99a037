import type { ComponentChildren, VNode } from 'preact';

/** A fact with its name, inside of `<dl class="fields">`. */
export function Field({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
