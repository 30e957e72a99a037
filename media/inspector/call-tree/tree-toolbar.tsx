import type { VNode } from 'preact';
import { IconButton } from '../components/icon-button';
import { grouped } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { everything, topCalls } from './expansion';
import { ancestors } from './tree-model';

/** Expand, collapse, to the failure, details; and how much of the tree is open. */
export function TreeToolbar(): VNode {
  const { state } = useInspector();
  const shown = state.visible.value.length;
  const all = state.tree.value.rows.length;
  const origin = state.origin.value;
  return (
    <div class="toolbar" role="toolbar" aria-label="Call tree actions">
      {shown < all && (
        <span class="quiet count">
          {grouped(String(shown))} of {grouped(String(all))}
        </span>
      )}
      {origin !== undefined && (
        <IconButton
          icon="debug-step-into"
          label="Go to the failure (E for the next one)"
          onClick={() => {
            state.showRow(origin);
          }}
        />
      )}
      <IconButton
        icon="expand-all"
        label="Expand all"
        onClick={() => {
          state.expansion.value = everything;
          state.wanted.value = state.selected.value;
        }}
      />
      <IconButton
        icon="collapse-all"
        label="Collapse to the top calls"
        onClick={() => {
          const tree = state.tree.value;
          const { selected } = state;
          // The selection follows to the outermost row that stays.
          selected.value = ancestors(tree, selected.value).at(-2) ?? selected.value;
          state.expansion.value = topCalls;
          state.wanted.value = selected.value;
        }}
      />
      <IconButton
        icon="layout-panel"
        label="Details of the selected row (Enter)"
        pressed={state.details.value}
        onClick={() => {
          state.details.value = !state.details.value;
        }}
      />
    </div>
  );
}
