import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { internalId } from '../model/internal-rows';
import { indexOfFirst } from '../model/tree-model';
import type { DebuggerPlace } from '../protocol/protocol';
import type { TreeState } from './tree-state';

/** The call in which a debugger of the analysis is. */
export interface DebuggedCall {
  place: Signal<DebuggerPlace | undefined>;
  /** Index of the row in which it is: of the innermost call that the tree contains. */
  row: ReadonlySignal<number | undefined>;
  /** Keeps the selected row when the debugger arrives next. */
  keepSelection: () => void;
  /** Selects the call in which the debugger is, without leaving the tab. */
  follow: () => void;
}

export function createDebuggedCall(calls: TreeState): DebuggedCall {
  const place = signal<DebuggerPlace | undefined>(undefined);
  const row = computed(() => {
    const { value } = place;
    if (value === undefined) return undefined;
    const ids = [
      ...value.internalCalls.map(internalId),
      ...(value.node === null ? [] : [value.node]),
    ];
    return indexOfFirst(calls.tree.value.rows, ids);
  });
  let isSelectionKept = false;
  return {
    place,
    row,
    keepSelection() {
      isSelectionKept = true;
    },
    follow() {
      const index = row.value;
      if (index !== undefined && !isSelectionKept) calls.show(index, false);
      isSelectionKept = false;
    },
  };
}
