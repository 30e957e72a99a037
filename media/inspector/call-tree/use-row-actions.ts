import type { MenuItem } from '../components/menu';
import { rowAsText } from '../copy/row-copies';
import { useInspector } from '../ui-state/inspector-context';
import { nextFailure } from '../model/tree-model';
import { placeOf, rowMenu, sourceOf } from './row-menu';

/** Actions on a row. */
export interface RowActions {
  copy: (index: number) => void;
  /** Opens the source, or the details if no source is known. */
  openSource: (index: number) => void;
  /** Moves a debugger that is on this analysis to the selected row, unless it is there. */
  moveDebugger: (index: number) => void;
  toggleDetails: () => void;
  goToFailure: () => void;
  menuItems: (index: number) => MenuItem[];
}

export function focusTree(): void {
  document.querySelector<HTMLElement>('[role=tree]')?.focus({ preventScroll: true });
}

export function useRowActions(): RowActions {
  const inspector = useInspector();
  const { state, post } = inspector;
  const { calls } = state;

  function toggleDetails(): void {
    calls.details.value = !calls.details.value;
  }

  function openSource(index: number): void {
    const place = sourceOf(state, index);
    if (place) post({ type: 'openSource', place });
    else toggleDetails();
  }

  function moveDebugger(index: number): void {
    const row = calls.tree.value.rows[index];
    if (!row || state.debugger.value === undefined || state.debuggedRow.value === index) return;
    state.keepSelection();
    // The editor focuses the source of the stop, then gives the focus back to the document alone.
    addEventListener('focus', focusTree, { once: true });
    post({ type: 'moveDebugger', to: placeOf(row) });
  }

  return {
    copy(index) {
      const row = calls.rowAt(index);
      if (row) post({ type: 'copy', text: rowAsText(row, state.names.value) });
    },
    openSource,
    moveDebugger,
    toggleDetails,
    menuItems: (index) => rowMenu(inspector, { openSource, toggleDetails }, index),
    goToFailure() {
      const { tree, selected, origin } = calls;
      const failure = nextFailure(tree.value, selected.value, origin.value);
      if (failure !== undefined) calls.show(failure);
    },
  };
}
