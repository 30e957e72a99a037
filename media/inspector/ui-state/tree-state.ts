import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Names } from '../../../server/presentation/segment';
import type { PersistentSignals } from '../model/persistent-signals';
import type { ExecutedNode, Flow, FlowRow } from '../protocol/protocol';
import { createSearch, type Search } from '../search/search';
import { createDecodes, type Decodes } from './decodes';
import { firstExpansion, isOpen, reveal, type Expansion } from './expansion';
import { persistExpansion } from './persistent-expansion';
import { EVERY_KIND, onlyWithAncestors, shownLevels, type ShownKinds } from './shown-rows';
import { withInternalRows } from '../model/internal-rows';
import {
  buildCallTree,
  failureOrigin,
  indexOfNode,
  isShown,
  nodeId,
  visiblePosition,
  visibleRows,
  type CallTree,
} from '../model/tree-model';

/** How rows are displayed. */
interface RowStyle {
  /** Shows names of methods, events and arguments; otherwise selectors and data. */
  decoded: boolean;
  /** Shows arguments and results; otherwise only the name. */
  details: boolean;
  /** Shows amounts in their units and times as dates, where they are known; otherwise plain numbers. Undefined in older saved states: on. */
  units?: boolean;
}

/** Request to bring a row into view. The tree handles and clears it. */
interface Wanted {
  index: number;
  focus: boolean;
}

/** The call tree and the user's position in it. Rows are identified by their index. */
export interface TreeState {
  /** Tree of all rows. */
  tree: ReadonlySignal<CallTree>;
  /** Tree of the rows of the shown kinds; with the filter on, only of the matches and their ancestors. */
  shownTree: ReadonlySignal<CallTree>;
  /** Indices of the visible rows, top to bottom. */
  visible: ReadonlySignal<Int32Array>;
  /** The row that caused the transaction's failure; undefined until the tree is complete. */
  origin: ReadonlySignal<number | undefined>;
  kinds: Signal<ShownKinds>;
  /** Whether calls of functions inside contracts are shown, once they have arrived. */
  internals: Signal<boolean>;
  style: Signal<RowStyle>;
  /** Open rows. While only matches are shown, they have their own expansion: leaving the search restores the previous one. */
  expansion: { value: Expansion };
  selected: Signal<number>;
  details: Signal<boolean>;
  /** Vertical scroll offset in pixels. */
  scroll: Signal<number>;
  wanted: Signal<Wanted | undefined>;
  search: Search;
  /** Search matches among the shown rows; undefined without a search. */
  matches: ReadonlySignal<readonly number[] | undefined>;
  decodes: Decodes;
  /** The row as displayed, decoded with the signature that the user chose. */
  rowAt: (index: number) => FlowRow | undefined;
  /** Brings a row into view and opens or unfilters everything that hides it. */
  show: (index: number, focus?: boolean) => void;
  /** Makes a change that may add or remove rows, and selects the same row again. */
  keepPlace: (change: () => void) => void;
  /** Goes to the next match from the selected row, or with -1 to the previous one, wrapping around. */
  step: (direction: 1 | -1) => void;
  /** Sets the initial expansion: as many levels as fit, and the path to the failure, if any. Call it when rows have arrived. */
  arrange: () => void;
}

interface TreeOptions {
  flow: ReadonlySignal<Flow | undefined>;
  /** Calls inside contracts among the rest; undefined until they have arrived. */
  internalNodes: ReadonlySignal<readonly ExecutedNode[] | undefined>;
  /** Whether all rows have arrived. */
  isWhole: ReadonlySignal<boolean>;
  names: ReadonlySignal<Names>;
  persistentSignal: PersistentSignals['persistentSignal'];
  /** Whether a saved position was restored. */
  isRestored: boolean;
}

export function createTreeState(options: TreeOptions): TreeState {
  const { flow, isWhole, names, persistentSignal, isRestored } = options;
  const internals = persistentSignal('internals', false);
  const { rows, tree, origin } = createRows(options, internals);
  const kinds = persistentSignal('kinds', EVERY_KIND);
  const search = createSearch(rows, names, persistentSignal);
  const decodes = createDecodes(rows, persistentSignal);
  const { kindsTree, matches, filtering, shownTree } = createShown(rows, tree, kinds, search);
  const { whole, shown: expansion } = persistExpansion(persistentSignal, filtering);
  const selected = persistentSignal('selected', 0);
  const wanted = signal<Wanted | undefined>(undefined);

  function show(index: number, focus = true): void {
    batch(() => {
      if (!isShown(shownTree.peek(), index)) {
        search.onlyMatches.value = false;
        if (!isShown(kindsTree.value, index)) kinds.value = EVERY_KIND;
      }
      expansion.value = reveal(shownTree.value, expansion.value, index);
      selected.value = index;
      wanted.value = { index, focus };
    });
  }

  /** A saved position is one among the rows with those inside contracts. */
  let isRestoring = isRestored && internals.peek();

  function keepPlace(change: () => void): void {
    const before = rows.peek();
    const row = before[selected.peek()];
    batch(() => {
      change();
      if (rows.value === before) return;
      if (isRestoring) {
        isRestoring = false;
        return;
      }
      whole.value = firstExpansion(tree.value);
      show((row && indexOfNode(rows.value, nodeId(row))) ?? 0, false);
    });
  }

  let arranged: 'not' | 'partly' | 'whole' = isRestored ? 'whole' : 'not';

  return {
    tree,
    shownTree,
    origin,
    kinds,
    internals,
    expansion,
    selected,
    wanted,
    search,
    matches,
    decodes,
    visible: computed(() =>
      visibleRows(shownTree.value, (index) => isOpen(shownTree.value, expansion.value, index)),
    ),
    style: persistentSignal<RowStyle>('style', { decoded: true, details: true, units: true }),
    details: persistentSignal('details', false),
    scroll: persistentSignal('scroll', 0),
    rowAt: (index) => decodes.apply(index, rows.value[index]),
    show,
    keepPlace,
    step(direction) {
      const index = nextMatch(matches.value, selected.value, direction);
      if (index !== undefined) show(index, false);
    },
    arrange() {
      if (arranged === 'whole' || !flow.value) return;
      if (arranged === 'not') whole.value = firstExpansion(tree.value);
      arranged = isWhole.value ? 'whole' : 'partly';
      if (origin.value !== undefined) whole.value = reveal(tree.value, whole.value, origin.value);
    },
  };
}

type Rows = ReadonlySignal<readonly FlowRow[]>;

/** All rows, with those inside contracts if they are wanted and have arrived. */
function createRows(
  { flow, internalNodes, isWhole }: Pick<TreeOptions, 'flow' | 'internalNodes' | 'isWhole'>,
  internals: ReadonlySignal<boolean>,
): { rows: Rows } & Pick<TreeState, 'tree' | 'origin'> {
  const flowRows = computed(() => flow.value?.rows ?? []);
  const nodes = computed(() =>
    internals.value && isWhole.value ? internalNodes.value : undefined,
  );
  const rows = computed(() =>
    nodes.value ? withInternalRows(flowRows.value, nodes.value) : flowRows.value,
  );
  const tree = computed(() => buildCallTree(rows.value));
  /** Calls inside contracts would hide that a call only passed a failure on. */
  const traceTree = computed(() => (nodes.value ? buildCallTree(flowRows.value) : tree.value));
  const origin = computed(() => {
    const found = isWhole.value ? failureOrigin(traceTree.value) : undefined;
    const row = found === undefined ? undefined : flowRows.value[found];
    return row && indexOfNode(rows.value, nodeId(row));
  });
  return { rows, tree, origin };
}

/** The rows of the shown kinds and, with the filter on, those that match. */
function createShown(
  rows: Rows,
  tree: ReadonlySignal<CallTree>,
  kinds: ReadonlySignal<ShownKinds>,
  search: Search,
): { kindsTree: ReadonlySignal<CallTree>; filtering: ReadonlySignal<boolean> } & Pick<
  TreeState,
  'matches' | 'shownTree'
> {
  const levels = computed(() => {
    const { statics, delegates, events } = kinds.value;
    return statics && delegates && events ? tree.value.level : shownLevels(rows.value, kinds.value);
  });
  const kindsTree = computed(() =>
    levels.value === tree.value.level ? tree.value : buildCallTree(rows.value, levels.value),
  );
  const matches = computed(() =>
    search.found.value?.filter((index) => isShown(kindsTree.value, index)),
  );
  const filtering = computed(() => search.onlyMatches.value && matches.value !== undefined);
  const shownTree = computed(() => {
    if (!filtering.value) return kindsTree.value;
    const { parent } = kindsTree.value;
    const kept = onlyWithAncestors(levels.value, parent, matches.value ?? []);
    return buildCallTree(rows.value, kept);
  });
  return { kindsTree, matches, filtering, shownTree };
}

/** The match after a row, or with -1 the one before it, wrapping around; undefined where there is none. */
function nextMatch(
  found: readonly number[] | undefined,
  selected: number,
  direction: 1 | -1,
): number | undefined {
  if (!found || found.length === 0) return undefined;
  const at = visiblePosition(found, selected);
  const isOn = found[at] === selected;
  const next = direction > 0 ? at + 1 : isOn ? at - 1 : at;
  return found[(next + found.length) % found.length];
}
