import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useInspector } from '../state/inspector-context';

interface NodeLinkProps {
  /** Id of a node of the invocation flow. */
  id: number;
  children: ComponentChildren;
}

/** A link to a node in the call tree. */
export function NodeLink({ id, children }: NodeLinkProps): VNode {
  const { state } = useInspector();
  return (
    <button
      type="button"
      class="link"
      title={l10n.t('Show in the call tree')}
      onClick={(event) => {
        event.stopPropagation();
        state.showNode(id);
      }}
    >
      {children}
    </button>
  );
}
