import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { InspectorState } from '../state';
import { alignTrees } from './align-trees';
import { compareRows, type Comparison } from './differences';

/** Two analyses beside each other, and where the reader is in them. */
export interface CompareState {
  left: InspectorState;
  right: InspectorState;
  /** Undefined until both call trees are whole. */
  comparison: ReadonlySignal<Comparison | undefined>;
  /** Only rows that differ, and what they are inside of. */
  onlyDifferences: Signal<boolean>;
  /** Places in `comparison.rows` that are shown, in order. */
  shown: ReadonlySignal<readonly number[]>;
  /** Place of the selected row among the shown ones. */
  selected: Signal<number>;
  /** A row among the shown ones that the grid is asked to bring into view. */
  wanted: Signal<number | undefined>;
  tab: Signal<'calls' | 'balances'>;
  /** Goes to the difference that came about first, second, …; 0 is the first. */
  goTo: (divergence: number) => void;
}

export const GRID_NAME = 'compare';

function isWhole({ parts }: InspectorState): boolean {
  const flow = parts.flow.value;
  return flow.state === 'ready' && flow.missing === 0;
}

/** Places that differ, and the places above them. */
function differing({ rows, divergences }: Comparison): number[] {
  const wanted = new Set(divergences);
  const kept = new Set<number>();
  const path: number[] = [];
  rows.forEach(({ depth }, place) => {
    path[depth] = place;
    if (!wanted.has(place)) return;
    for (const above of path.slice(0, depth + 1)) kept.add(above);
  });
  return [...kept].sort((a, b) => a - b);
}

export function createCompareState(left: InspectorState, right: InspectorState): CompareState {
  const comparison = computed(() => {
    if (!isWhole(left) || !isWhole(right)) return undefined;
    const trees = [left.calls.tree.value, right.calls.tree.value] as const;
    return compareRows(...trees, alignTrees(...trees));
  });
  const onlyDifferences = signal(false);
  const shown = computed(() => {
    const all = comparison.value;
    if (!all) return [];
    return onlyDifferences.value ? differing(all) : all.rows.map((_, place) => place);
  });
  const selected = left.keep(`${GRID_NAME}.row`, 0);
  const wanted = signal<number | undefined>(undefined);
  return {
    ...{ left, right, comparison, onlyDifferences, shown, selected, wanted },
    tab: signal('calls'),
    goTo(divergence) {
      const place = comparison.value?.divergences[divergence];
      const at = place === undefined ? -1 : shown.value.indexOf(place);
      if (at < 0) return;
      selected.value = at;
      wanted.value = at;
    },
  };
}
