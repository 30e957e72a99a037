import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Names } from '../grammar/segment';
import type { Keeper } from '../keep';
import type { Flow, FlowRow } from '../protocol';
import { createSearch, type Search } from '../search/search';
import { createDecodes, type Decodes } from './decodes';
import { firstExpansion, isOpen, reveal, type Expansion } from './expansion';
import { keepExpansion } from './kept-expansion';
import { EVERY_KIND, onlyWithAncestors, shownLevels, type ShownKinds } from './shown-rows';
import {
  buildCallTree,
  failureOrigin,
  isShown,
  visiblePosition,
  visibleRows,
  type CallTree,
} from './tree-model';

/** How rows are written. */
interface RowStyle {
  /** Methods, events and arguments by their names; else selectors and data. */
  decoded: boolean;
  /** With arguments and results; else the name alone. */
  details: boolean;
}

/** A row that the tree is asked to bring into view; the tree takes the request when it can. */
interface Wanted {
  index: number;
  focus: boolean;
}

/** The call tree and where the reader is in it. Rows are named by their index. */
export interface TreeState {
  /** Of all rows. */
  tree: ReadonlySignal<CallTree>;
  /** Of the rows of the kinds that are shown, and where only matches are shown, of those. */
  shownTree: ReadonlySignal<CallTree>;
  /** Indices of the rows to be seen, top to bottom. */
  visible: ReadonlySignal<Int32Array>;
  /** The row that threw what the transaction failed with; undefined until the whole tree is there. */
  origin: ReadonlySignal<number | undefined>;
  kinds: Signal<ShownKinds>;
  style: Signal<RowStyle>;
  /** Which rows are open. Where only matches are shown, that is for itself: leaving the search, all is as it was. */
  expansion: { value: Expansion };
  selected: Signal<number>;
  details: Signal<boolean>;
  /** Vertical scroll offset in pixels. */
  scroll: Signal<number>;
  wanted: Signal<Wanted | undefined>;
  search: Search;
  /** Matches of the search among the rows shown; undefined while nothing is searched for. */
  matches: ReadonlySignal<readonly number[] | undefined>;
  decodes: Decodes;
  /** The row as it is written: by the signature that the reader chose. */
  rowAt: (index: number) => FlowRow | undefined;
  /** Brings a row into view, whatever hides it. */
  show: (index: number, focus?: boolean) => void;
  /** The next match, or with -1 the one before, from the selected row on, round and round. */
  step: (direction: 1 | -1) => void;
  /** The first sight of a tree: as deep as fits, and the failure, if there is one. To be called when rows have come. */
  arrange: () => void;
}

interface TreeOptions {
  flow: ReadonlySignal<Flow | undefined>;
  /** Whether all rows are there. */
  isWhole: ReadonlySignal<boolean>;
  names: ReadonlySignal<Names>;
  keep: Keeper['keep'];
  /** Whether the reader has been here before. */
  isRestored: boolean;
}

export function createTreeState(options: TreeOptions): TreeState {
  const { flow, isWhole, names, keep, isRestored } = options;
  const rows = computed(() => flow.value?.rows ?? []);
  const tree = computed(() => buildCallTree(rows.value));
  const origin = computed(() => (isWhole.value ? failureOrigin(tree.value) : undefined));
  const kinds = keep('kinds', EVERY_KIND);
  const search = createSearch(rows, names, keep);
  const decodes = createDecodes(rows, keep);

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

  const { whole, shown: expansion } = keepExpansion(keep, filtering);
  const selected = keep('selected', 0);
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

  let arranged: 'not' | 'partly' | 'whole' = isRestored ? 'whole' : 'not';

  return {
    ...{ tree, shownTree, origin, kinds, expansion, selected, wanted, search, matches, decodes },
    visible: computed(() =>
      visibleRows(shownTree.value, (index) => isOpen(shownTree.value, expansion.value, index)),
    ),
    style: keep('style', { decoded: true, details: true }),
    details: keep('details', false),
    scroll: keep('scroll', 0),
    rowAt: (index) => decodes.apply(index, rows.value[index]),
    show,
    step(direction) {
      const found = matches.value;
      if (!found || found.length === 0) return;
      const at = visiblePosition(found, selected.value);
      const isOn = found[at] === selected.value;
      const next = direction > 0 ? at + 1 : isOn ? at - 1 : at;
      const index = found[(next + found.length) % found.length];
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
