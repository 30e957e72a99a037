import type { ComponentChildren, VNode } from 'preact';

/** A named fact inside `<dl class="fields">`. */
export function Field({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
