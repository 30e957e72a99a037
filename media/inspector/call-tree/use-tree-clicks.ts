import { batch } from '@preact/signals';
import { isLeaf } from '../model/tree-model';
import { isOpen, setOpen } from '../ui-state/expansion';
import { useInspector } from '../ui-state/inspector-context';
import { isOnTwisty, rowAt } from './row-of-event';
import type { RowActions } from './use-row-actions';

interface TreeClicks {
  onClick: (event: MouseEvent) => void;
  onDblClick: (event: MouseEvent) => void;
}

/** Clicks on rows and on what opens them. */
export function useTreeClicks(actions: RowActions): TreeClicks {
  const { calls } = useInspector().state;
  const tree = calls.shownTree.value;

  function toggle(index: number): void {
    if (isLeaf(tree, index)) return;
    const open = isOpen(tree, calls.expansion.value, index);
    batch(() => {
      calls.selected.value = index;
      calls.expansion.value = setOpen(tree, calls.expansion.value, [index], !open);
    });
  }

  return {
    /** Selects a row, and moves a debugger there. Keys select alone: the rows on their way are not meant. */
    onClick({ target, detail }) {
      const index = rowAt(target);
      if (index === undefined) return;
      if (isOnTwisty(target)) {
        toggle(index);
        return;
      }
      calls.selected.value = index;
      // The second click of a double click opens the row.
      if (detail < 2) actions.moveDebugger(index);
    },
    onDblClick({ target }) {
      const index = rowAt(target);
      if (index !== undefined && !isOnTwisty(target)) toggle(index);
    },
  };
}
