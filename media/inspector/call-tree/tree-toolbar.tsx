import type { VNode } from 'preact';
import { IconButton } from '../components/icon-button';
import { grouped } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { everything, topCalls } from './expansion';
import { ancestors } from './tree-model';

/** Expand, collapse, to the failure, details; and how much of the tree is open. */
export function TreeToolbar(): VNode {
  const { state } = useInspector();
  const shown = state.calls.visible.value.length;
  const all = state.calls.tree.value.rows.length;
  const origin = state.calls.origin.value;
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
          state.calls.expansion.value = everything;
          state.calls.show(state.calls.selected.value);
        }}
      />
      <IconButton
        icon="collapse-all"
        label="Collapse to the top calls"
        onClick={() => {
          const tree = state.calls.tree.value;
          const { selected } = state.calls;
          // The selection follows to the outermost row that stays.
          selected.value = ancestors(tree, selected.value).at(-2) ?? selected.value;
          state.calls.expansion.value = topCalls;
          state.calls.show(selected.value);
        }}
      />
      <IconButton
        icon="layout-panel"
        label="Details of the selected row (Enter)"
        pressed={state.calls.details.value}
        onClick={() => {
          state.calls.details.value = !state.calls.details.value;
        }}
      />
    </div>
  );
}
