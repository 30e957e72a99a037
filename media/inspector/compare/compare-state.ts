import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { firstExpansion, isOpen, reveal, type Expansion } from '../call-tree/expansion';
import { keepExpansion } from '../call-tree/kept-expansion';
import { onlyWithAncestors } from '../call-tree/shown-rows';
import {
  buildCallTree,
  visiblePosition,
  visibleRows,
  type CallTree,
} from '../call-tree/tree-model';
import type { Keeper } from '../keep';
import type { SideId } from '../protocol';
import type { InspectorState } from '../state';
import { alignTrees } from './align-trees';
import { compareRows, type Comparison } from './differences';

/** Two analyses beside each other, and where the reader is in them. */
export interface CompareState {
  left: InspectorState;
  right: InspectorState;
  /** Undefined until both call trees are whole. Its rows are named by their places. */
  comparison: ReadonlySignal<Comparison | undefined>;
  /** Only rows that differ, and what they are inside of. */
  onlyDifferences: Signal<boolean>;
  /** Of the rows that are shown, be they in closed ones or not. */
  tree: ReadonlySignal<CallTree>;
  /** Which of them are open. Where only differences are shown, that is for itself. */
  expansion: { value: Expansion };
  /** Places of the rows to be seen, top to bottom. */
  visible: ReadonlySignal<Int32Array>;
  /** Whether something inside of a row differs. */
  differsInside: (place: number) => boolean;
  /** Place of the selected row. */
  selected: Signal<number>;
  /** A row that the grid is asked to bring into view, by where it stands among the visible ones. */
  wanted: Signal<number | undefined>;
  tab: Signal<'calls' | 'balances'>;
  /** The next difference in the order in which they came about, or with -1 the one before, round and round. */
  step: (direction: 1 | -1) => void;
  /** The first sight of the two: as deep as fits, and where they part. To be called once both trees are whole. */
  arrange: () => void;
}

function isWhole({ parts }: InspectorState): boolean {
  const flow = parts.flow.value;
  return flow.state === 'ready' && flow.missing === 0;
}

/** Both trees as one: of each pair the left row stands for both. */
function commonTree(left: CallTree, right: CallTree, { rows }: Comparison): CallTree {
  return buildCallTree(
    rows.flatMap((pair) => left.rows[pair.left] ?? right.rows[pair.right] ?? []),
    Int32Array.from(rows, ({ depth }) => depth),
  );
}

const NO_TREE = buildCallTree([]);

/**
 * @param keep keeps where the reader is
 * @param isRestored whether the reader has been here before
 */
export function createCompareState(
  sides: Readonly<Record<SideId, InspectorState>>,
  keep: Keeper['keep'],
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
  const onlyDifferences = keep('onlyDifferences', false);
  const tree = computed(() => {
    if (!trees.value) return NO_TREE;
    const { whole } = trees.value;
    if (!onlyDifferences.value) return whole;
    const { rows, level, parent } = whole;
    const kept = onlyWithAncestors(level, parent, trees.value.comparison.divergences);
    return buildCallTree(rows, kept);
  });
  const differing = computed(() => comparison.value?.divergences.toSorted((a, b) => a - b) ?? []);
  const { whole, shown: expansion } = keepExpansion(keep, onlyDifferences);
  const visible = computed(() =>
    visibleRows(tree.value, (place) => isOpen(tree.value, expansion.value, place)),
  );
  const selected = keep('selected', 0);
  const wanted = signal<number | undefined>(undefined);

  const tab = keep<'calls' | 'balances'>('tab', 'calls');

  function goTo(place: number | undefined): void {
    if (place === undefined) return;
    batch(() => {
      tab.value = 'calls';
      expansion.value = reveal(tree.value, expansion.value, place);
      selected.value = place;
      wanted.value = visiblePosition(visible.value, place);
    });
  }

  let arranged = isRestored;

  return {
    ...{ left, right, comparison, onlyDifferences, tree, expansion, visible, selected, wanted },
    tab,
    differsInside(place) {
      const last = (tree.value.end[place] ?? 0) - 1;
      return visiblePosition(differing.value, last) > visiblePosition(differing.value, place);
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
