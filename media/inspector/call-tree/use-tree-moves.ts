import { batch } from '@preact/signals';
import type { RefObject } from 'preact';
import { ROW_HEIGHT } from '../components/use-virtual-rows';
import { visiblePosition } from '../model/tree-model';
import { useInspector } from '../ui-state/inspector-context';
import { pathTo } from './sticky-path';
import { treeMove, type TreeMove } from './tree-keys';
import type { RowActions } from './use-row-actions';

/** Applies the keys of the call tree. @returns the handler of its element */
export function useTreeMoves(
  scroller: RefObject<HTMLDivElement | null>,
  actions: RowActions,
): (event: KeyboardEvent) => void {
  const { calls } = useInspector().state;
  const visible = calls.visible.value;
  const tree = calls.shownTree.value;

  /** Scrolls no further than needed, and keeps the row below the sticky path. */
  function scrollTo(index: number): void {
    const view = scroller.current;
    if (!view) return;
    const top = visiblePosition(visible, index) * ROW_HEIGHT;
    const covered = pathTo(tree, index).length * ROW_HEIGHT;
    const bottom = top + 2 * ROW_HEIGHT - view.clientHeight;
    if (view.scrollTop > top - covered) view.scrollTop = top - covered;
    else if (view.scrollTop < bottom) view.scrollTop = bottom;
  }

  function act(action: Extract<TreeMove, { action: unknown }>['action']): void {
    const index = calls.selected.value;
    switch (action) {
      case 'source':
        actions.openSource(index);
        return;
      case 'details':
        actions.toggleDetails();
        return;
      case 'closeDetails':
        calls.details.value = false;
        return;
      case 'copy':
        actions.copy(index);
        return;
      case 'failure':
        actions.goToFailure();
    }
  }

  function apply(move: TreeMove): void {
    if ('selected' in move) {
      calls.selected.value = move.selected;
      scrollTo(move.selected);
    } else if ('expansion' in move) calls.expansion.value = move.expansion;
    else act(move.action);
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const height = scroller.current?.clientHeight ?? 0;
    const move = treeMove(event.key, {
      tree,
      visible,
      expansion: calls.expansion.value,
      selected: calls.selected.value,
      page: Math.max(1, Math.floor(height / ROW_HEIGHT) - 2),
    });
    if (!move) return;
    event.preventDefault();
    batch(() => {
      // If the selected row is inside a closed row, the selection moves to its visible ancestor.
      const at = visiblePosition(visible, calls.selected.value);
      calls.selected.value = visible[at] ?? visible[0] ?? 0;
      apply(move);
    });
  };
}
