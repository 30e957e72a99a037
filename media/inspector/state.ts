import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { BalanceChange } from '../../server/api/explorer';
import { everything, firstExpansion, isOpen, reveal, type Expansion } from './call-tree/expansion';
import { buildCallTree, failureOrigin, visibleRows, type CallTree } from './call-tree/tree-model';
import { namesOf, type Names } from './grammar/segment';
import type { Failure, Flow, Outcome, SavedState, TabId, Target, ToWebview } from './protocol';

/** A part of the analysis on its way: parts arrive, and fail, independently. */
type Part<T> =
  { state: 'loading' } | { state: 'ready'; value: T } | { state: 'failed'; failure: Failure };

/** All that the inspector shows and where the reader is in it. Components read signals; only actions write them. */
export interface InspectorState {
  target: Signal<Target | undefined>;
  flow: Signal<Part<Flow>>;
  balances: Signal<Part<BalanceChange>>;
  hasExplorer: Signal<boolean>;
  tab: Signal<TabId>;
  expansion: Signal<Expansion>;
  selected: Signal<number>;
  details: Signal<boolean>;
  /** Vertical scroll offset of the tree in pixels. */
  scroll: Signal<number>;
  /** A row that the tree is asked to bring into view and to focus; the tree takes the request when it can. */
  wanted: Signal<number | undefined>;
  tree: ReadonlySignal<CallTree>;
  origin: ReadonlySignal<number | undefined>;
  visible: ReadonlySignal<Int32Array>;
  names: ReadonlySignal<Names>;
  /** Undefined until the target is known. */
  saved: ReadonlySignal<SavedState | undefined>;
  receive(message: ToWebview): void;
  /** Opens the tree at a row. */
  showRow(index: number): void;
}

const LOADING = { state: 'loading' } as const;

function partOf<T>(outcome: Outcome<T>): Part<T> {
  return outcome.ok
    ? { state: 'ready', value: outcome.value }
    : { state: 'failed', failure: outcome.failure };
}

export function createInspectorState(saved: SavedState | undefined): InspectorState {
  const target = signal<Target | undefined>(undefined);
  const flow = signal<Part<Flow>>(LOADING);
  const balances = signal<Part<BalanceChange>>(LOADING);
  const hasExplorer = signal(false);
  const tab = signal<TabId>(saved?.tab ?? 'calls');
  const expansion = signal<Expansion>(
    saved ? { depth: saved.expansion.depth, except: new Set(saved.expansion.except) } : everything,
  );
  const selected = signal(saved?.selected ?? 0);
  const details = signal(saved?.details ?? false);
  const scroll = signal(saved?.scroll ?? 0);
  const ready = computed(() => (flow.value.state === 'ready' ? flow.value.value : undefined));
  const wanted = signal<number | undefined>(undefined);
  const tree = computed(() => buildCallTree(ready.value?.rows ?? []));
  const origin = computed(() => failureOrigin(tree.value));
  let arranged = saved !== undefined;

  /** The first sight of a tree: as deep as fits, and the failure, if there is one. */
  function arrange(): void {
    if (arranged || flow.value.state !== 'ready') return;
    arranged = true;
    const first = firstExpansion(tree.value);
    expansion.value = origin.value === undefined ? first : reveal(tree.value, first, origin.value);
    selected.value = 0;
  }

  return {
    target,
    flow,
    balances,
    hasExplorer,
    tab,
    expansion,
    selected,
    details,
    scroll,
    wanted,
    tree,
    origin,
    visible: computed(() =>
      visibleRows(tree.value, (index) => isOpen(tree.value, expansion.value, index)),
    ),
    names: computed(() => namesOf(ready.value?.labels ?? {})),
    saved: computed(
      () =>
        target.value && {
          ...target.value,
          tab: tab.value,
          expansion: { depth: expansion.value.depth, except: [...expansion.value.except] },
          selected: selected.value,
          details: details.value,
          scroll: scroll.value,
        },
    ),
    showRow(index) {
      batch(() => {
        tab.value = 'calls';
        expansion.value = reveal(tree.value, expansion.value, index);
        selected.value = index;
        wanted.value = index;
      });
    },
    receive(message) {
      switch (message.type) {
        case 'loading':
          target.value = message.target;
          flow.value = LOADING;
          balances.value = LOADING;
          return;
        case 'flow':
          hasExplorer.value = message.hasExplorer;
          flow.value = partOf(message.outcome);
          arrange();
          return;
        case 'balances':
          balances.value = partOf(message.outcome);
          return;
      }
    },
  };
}
