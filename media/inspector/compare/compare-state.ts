import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { firstExpansion, isOpen, reveal, type Expansion } from '../ui-state/expansion';
import { persistExpansion } from '../ui-state/persistent-expansion';
import { onlyWithAncestors } from '../ui-state/shown-rows';
import {
  buildCallTree,
  depthsOf,
  visiblePosition,
  visibleRows,
  type CallTree,
} from '../model/tree-model';
import type { PersistentSignals } from '../model/persistent-signals';
import type { SideId } from '../protocol/protocol';
import type { InspectorState } from '../ui-state/state';
import { alignTrees } from './align-trees';
import { compareRows, type Comparison } from './differences';

/** Two analyses side by side, and the user's position in them. */
export interface CompareState {
  left: InspectorState;
  right: InspectorState;
  /** Undefined until both call trees are complete. Its rows are identified by their index. */
  comparison: ReadonlySignal<Comparison | undefined>;
  /** Shows only rows that differ, and their ancestors. */
  onlyDifferences: Signal<boolean>;
  /** Tree of the shown rows, including those inside closed rows. */
  tree: ReadonlySignal<CallTree>;
  /** Open rows of the tree. While only differences are shown, they have their own expansion. */
  expansion: { value: Expansion };
  /** Indices of the visible rows, top to bottom. */
  visible: ReadonlySignal<Int32Array>;
  /** Whether a descendant of a row differs. */
  hasInnerDifference: (rowIndex: number) => boolean;
  /** Index of the selected row. */
  selected: Signal<number>;
  /** Request to bring a row into view, by its position among the visible rows. */
  wanted: Signal<number | undefined>;
  tab: Signal<'calls' | 'balances'>;
  /** Goes to the next difference in execution order, or with -1 to the previous one, wrapping around. */
  step: (direction: 1 | -1) => void;
  /** Sets the initial expansion and goes to the first difference. Call it once both trees are complete. */
  arrange: () => void;
}

function isWhole({ parts }: InspectorState): boolean {
  const flow = parts.flow.value;
  return flow.state === 'ready' && flow.missing === 0;
}

/** Merges both trees. The left row of a pair represents both. */
function commonTree(left: CallTree, right: CallTree, { rows }: Comparison): CallTree {
  return buildCallTree(
    rows.flatMap((pair) => left.rows[pair.left] ?? right.rows[pair.right] ?? []),
    depthsOf(rows),
  );
}

const NO_TREE = buildCallTree([]);

/**
 * @param persistentSignal stores the user's position
 * @param isRestored whether a saved position was restored
 */
export function createCompareState(
  sides: Readonly<Record<SideId, InspectorState>>,
  persistentSignal: PersistentSignals['persistentSignal'],
  isRestored: boolean,
): CompareState {
  const { left, right } = sides;
  const trees = computed(() => {
    if (!isWhole(left) || !isWhole(right)) return undefined;
    const both = [left.calls.tree.value, right.calls.tree.value] as const;
    const comparison = compareRows(...both, alignTrees(...both));
    return { comparison, whole: commonTree(...both, comparison) };
  });
  const comparison = computed(() => trees.value?.comparison);
  const onlyDifferences = persistentSignal('onlyDifferences', false);
  const tree = computed(() => {
    if (!trees.value) return NO_TREE;
    const { whole } = trees.value;
    if (!onlyDifferences.value) return whole;
    const { rows, level, parent } = whole;
    const kept = onlyWithAncestors(level, parent, trees.value.comparison.divergences);
    return buildCallTree(rows, kept);
  });
  const differing = computed(() => comparison.value?.divergences.toSorted((a, b) => a - b) ?? []);
  const { whole, shown: expansion } = persistExpansion(persistentSignal, onlyDifferences);
  const visible = computed(() =>
    visibleRows(tree.value, (rowIndex) => isOpen(tree.value, expansion.value, rowIndex)),
  );
  const selected = persistentSignal('selected', 0);
  const wanted = signal<number | undefined>(undefined);

  const tab = persistentSignal<'calls' | 'balances'>('tab', 'calls');

  function goTo(rowIndex: number | undefined): void {
    if (rowIndex === undefined) return;
    batch(() => {
      tab.value = 'calls';
      expansion.value = reveal(tree.value, expansion.value, rowIndex);
      selected.value = rowIndex;
      wanted.value = visiblePosition(visible.value, rowIndex);
    });
  }

  let arranged = isRestored;

  return {
    left,
    right,
    comparison,
    onlyDifferences,
    tree,
    expansion,
    visible,
    selected,
    wanted,
    tab,
    hasInnerDifference(rowIndex) {
      const last = (tree.value.end[rowIndex] ?? 0) - 1;
      return visiblePosition(differing.value, last) > visiblePosition(differing.value, rowIndex);
    },
    step(direction) {
      const { divergences = [] } = comparison.value ?? {};
      const at = divergences.indexOf(selected.value);
      const isBefore = at < 0 && direction < 0;
      const next = (at + direction + (isBefore ? 1 : 0) + divergences.length) % divergences.length;
      goTo(divergences[next]);
    },
    arrange() {
      if (arranged || !trees.value) return;
      arranged = true;
      whole.value = firstExpansion(trees.value.whole);
      goTo(trees.value.comparison.divergences[0]);
    },
  };
}
