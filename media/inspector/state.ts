import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { everything, firstExpansion, isOpen, reveal, type Expansion } from './call-tree/expansion';
import {
  buildCallTree,
  failureOrigin,
  invocationAt,
  visibleRows,
  type CallTree,
} from './call-tree/tree-model';
import { namesOf, type Names } from './grammar/segment';
import { createKeeper, type Keeper } from './keep';
import { createPartStore, type PartStore } from './parts';
import type {
  Flow,
  PartRequest,
  SavedState,
  Source,
  Surroundings,
  TabId,
  ToWebview,
} from './protocol';

/** All that the inspector shows and where the reader is in it. Components read signals; only actions write them. */
export interface InspectorState extends Pick<PartStore, 'parts' | 'load' | 'cancel'> {
  keep: Keeper['keep'];
  source: Signal<Source | undefined>;
  surroundings: Signal<Surroundings>;
  tab: Signal<TabId>;
  /** The call tree and the facts, as far as they are there. */
  flow: ReadonlySignal<Flow | undefined>;
  /** The chain's own asset, such as ETH; empty until it is known. As strangers wrote it. */
  nativeSymbol: ReadonlySignal<string>;
  /** Name of the top call's method as decoded; else empty. */
  method: ReadonlySignal<string>;
  names: ReadonlySignal<Names>;
  /** The address that is pointed at: it is marked wherever it stands. */
  pointedAt: Signal<string | undefined>;
  expansion: Signal<Expansion>;
  selected: Signal<number>;
  details: Signal<boolean>;
  /** Vertical scroll offset of the tree in pixels. */
  scroll: Signal<number>;
  /** A row that the tree is asked to bring into view and to focus; the tree takes the request when it can. */
  wanted: Signal<number | undefined>;
  tree: ReadonlySignal<CallTree>;
  /** The row that threw what the transaction failed with; undefined until the whole tree is there. */
  origin: ReadonlySignal<number | undefined>;
  visible: ReadonlySignal<Int32Array>;
  /** Undefined until the source is known. */
  saved: ReadonlySignal<SavedState | undefined>;
  receive: (message: ToWebview) => void;
  /** Opens the tree at a row. */
  showRow(index: number): void;
}

const VERSION = 2;
const NOTHING_AROUND: Surroundings = { hasExplorer: false, actions: [] };

/** An expansion as JSON holds it. */
interface KeptExpansion {
  depth: number;
  except: number[];
}

/** @param post takes the requests for parts of the analysis */
export function createInspectorState(
  saved: SavedState | undefined,
  post: (request: PartRequest) => void,
): InspectorState {
  const view = saved?.version === VERSION ? saved.view : {};
  const { keep, values } = createKeeper(view);
  const { parts, load, cancel, receive, reset } = createPartStore(post);
  const source = signal<Source | undefined>(undefined);
  const surroundings = signal(NOTHING_AROUND);
  const tab = keep<TabId>('tab', 'calls');
  const keptExpansion = keep<KeptExpansion>('expansion', { depth: everything.depth, except: [] });
  const expansion = signal<Expansion>({
    depth: keptExpansion.peek().depth,
    except: new Set(keptExpansion.peek().except),
  });
  effect(() => {
    const { depth, except } = expansion.value;
    keptExpansion.value = { depth, except: [...except] };
  });
  const selected = keep('selected', 0);
  const wanted = signal<number | undefined>(undefined);
  const flow = computed(() => {
    const part = parts.flow.value;
    return part.state === 'ready' ? part.value : undefined;
  });
  const isWhole = computed(
    () => parts.flow.value.state === 'ready' && parts.flow.value.missing === 0,
  );
  const tree = computed(() => buildCallTree(flow.value?.rows ?? []));
  const origin = computed(() => (isWhole.value ? failureOrigin(tree.value) : undefined));

  /** The first sight of a tree: as deep as fits, and the failure, if there is one. */
  let arranged: 'not' | 'partly' | 'whole' = Object.hasOwn(view, 'expansion') ? 'whole' : 'not';
  function arrange(): void {
    if (arranged === 'whole' || !flow.value) return;
    if (arranged === 'not') expansion.value = firstExpansion(tree.value);
    arranged = isWhole.value ? 'whole' : 'partly';
    if (origin.value !== undefined) {
      expansion.value = reveal(tree.value, expansion.value, origin.value);
    }
  }

  return {
    ...{ parts, load, cancel, keep, source, surroundings, tab, flow },
    nativeSymbol: computed(() => flow.value?.transaction.nativeSymbol ?? ''),
    method: computed(() => invocationAt(tree.value, 0)?.decodedMethod?.name ?? ''),
    names: computed(() => {
      const known = [parts.flow, parts.fundFlow, parts.stateDiff, parts.gasProfile];
      const labels = known.flatMap(({ value }) =>
        value.state === 'ready' ? [value.value.labels] : [],
      );
      return namesOf(Object.assign({}, ...labels.reverse()) as Record<string, string>);
    }),
    pointedAt: signal(undefined),
    ...{ expansion, selected, wanted, tree, origin },
    details: keep('details', false),
    scroll: keep('scroll', 0),
    visible: computed(() =>
      visibleRows(tree.value, (index) => isOpen(tree.value, expansion.value, index)),
    ),
    saved: computed(
      () => source.value && { version: VERSION, source: source.value, view: values.value },
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
      batch(() => {
        switch (message.type) {
          case 'open':
            source.value = message.source;
            surroundings.value = NOTHING_AROUND;
            reset();
            load('flow');
            load('balanceChange');
            return;
          case 'surroundings':
            surroundings.value = message.surroundings;
            return;
          default:
            receive(message);
            if (message.part === 'flow') arrange();
        }
      });
    },
  };
}
