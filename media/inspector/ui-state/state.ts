import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { indexOfNode, invocationAt } from '../model/tree-model';
import { createTreeState, type TreeState } from './tree-state';
import type { Names } from '../../../server/presentation/segment';
import { createDebuggedCall } from './debugged-call';
import { createNames } from './known-names';
import { createReceiver, FIRST, NO_HOST_CONTEXT } from './receive-message';
import { createSourcePlaces, type SourcePlaces } from './source-places';
import { createPersistentSignals, type PersistentSignals } from '../model/persistent-signals';
import { createPartStore, type PartStore } from '../protocol/parts';
import type {
  DebuggerPlace,
  Flow,
  PartId,
  PartRequest,
  SavedState,
  Source,
  HostContext,
  TabId,
  StateMessage,
} from '../protocol/protocol';

/** The state of the inspector, including the user's position. Components read signals; only actions write them. */
export interface InspectorState
  extends
    Pick<PartStore, 'parts' | 'load' | 'cancel'>,
    Pick<SourcePlaces, 'locations' | 'codes'>,
    ProofView {
  persistentSignal: PersistentSignals['persistentSignal'];
  source: Signal<Source | undefined>;
  hostContext: Signal<HostContext>;
  /** Where a debugger of this analysis is. */
  debugger: ReadonlySignal<DebuggerPlace | undefined>;
  /** Index of the row in which it is: of the innermost call that the tree contains. */
  debuggedRow: ReadonlySignal<number | undefined>;
  tab: Signal<TabId>;
  /** The call tree and the transaction's facts, as far as they have arrived. */
  flow: ReadonlySignal<Flow | undefined>;
  /** Symbol of the native asset, such as ETH; empty until known. Untrusted text. */
  nativeSymbol: ReadonlySignal<string>;
  /** Name of the top call's decoded method; otherwise empty. */
  method: ReadonlySignal<string>;
  names: ReadonlySignal<Names>;
  /** The call tree, and the user's position in it. */
  calls: TreeState;
  /** Undefined until the source is known. */
  saved: ReadonlySignal<SavedState | undefined>;
  receive: (message: StateMessage) => void;
  /** Starts the analysis, or restarts it after a failure. */
  start: () => void;
  /** Cancels everything that is loading. */
  stop: () => void;
  /** Shows or hides calls of functions inside contracts, which come from the recording of the transaction. */
  toggleInternals: () => void;
  /** Notes that the user sends the debugger to the selected row, which stays selected when the debugger arrives. */
  keepSelection: () => void;
  /** Shows a row in the call tree. */
  showRow: (index: number) => void;
  /** Shows a node of the invocation flow in the call tree. */
  showNode: (id: number) => void;
}

/** Where the overview shows how the analysis is proved. */
interface ProofView {
  isProofOpen: Signal<boolean>;
  /** Set if the proof is to get the focus. Its section clears it. */
  isProofWanted: Signal<boolean>;
  showProof: () => void;
}

const VERSION = 2;

/**
 * @param saved saved position of the user, if any
 * @param post sends the requests for parts of the analysis
 * @param options `hasSourceLinks`: whether the views link to sources, whose places are then loaded
 */
export function createInspectorState(
  saved: SavedState | undefined,
  post: (request: PartRequest) => void,
  { hasSourceLinks = true }: { hasSourceLinks?: boolean } = {},
): InspectorState {
  const view = saved?.version === VERSION ? saved.view : {};
  const { persistentSignal, values } = createPersistentSignals(view);
  const store = createPartStore(post);
  const { parts, load, cancel } = store;
  const source = signal<Source | undefined>(undefined);
  const hostContext = signal(NO_HOST_CONTEXT);
  const tab = persistentSignal<TabId>('tab', 'overview');
  const flow = computed(() => {
    const part = parts.flow.value;
    return part.state === 'ready' ? part.value : undefined;
  });
  const isWhole = computed(
    () => parts.flow.value.state === 'ready' && parts.flow.value.missing === 0,
  );
  const names = createNames([parts.flow, parts.fundFlow, parts.stateDiff, parts.gasProfile]);
  const { internalNodes, locations, codes } = createSourcePlaces(parts);
  const isRestored = Object.hasOwn(view, 'expansion');
  const shown = { flow, internalNodes, isWhole, names, persistentSignal, isRestored };
  const calls = createTreeState(shown);
  const debugged = createDebuggedCall(calls);

  function start(): void {
    for (const part of FIRST) load(part);
  }

  return {
    start,
    stop() {
      for (const part of Object.keys(parts) as PartId[]) {
        if (parts[part].peek().state === 'loading') cancel(part);
      }
    },
    parts,
    load,
    cancel,
    persistentSignal,
    source,
    hostContext,
    tab,
    flow,
    names,
    locations,
    codes,
    calls,
    debugger: debugged.place,
    debuggedRow: debugged.row,
    keepSelection: debugged.keepSelection,
    nativeSymbol: computed(() => flow.value?.transaction.nativeSymbol ?? ''),
    method: computed(() => invocationAt(calls.tree.value, 0)?.decodedMethod?.name ?? ''),
    saved: computed(
      () => source.value && { version: VERSION, source: source.value, view: values.value },
    ),
    ...createProofView(persistentSignal, tab),
    ...createTreeMoves(calls, tab),
    toggleInternals() {
      calls.keepPlace(() => {
        calls.internals.value = !calls.internals.value;
      });
      if (calls.internals.value) load('internalCalls');
    },
    receive: createReceiver({
      store,
      source,
      hostContext,
      flow,
      isWhole,
      calls,
      debugged,
      hasSourceLinks,
      start,
    }),
  };
}

function createTreeMoves(
  calls: TreeState,
  tab: Signal<TabId>,
): Pick<InspectorState, 'showRow' | 'showNode'> {
  let stopWaiting = (): void => undefined;
  function showRow(index: number): void {
    batch(() => {
      tab.value = 'calls';
      calls.show(index);
    });
  }
  return {
    showRow,
    showNode(id) {
      stopWaiting();
      // The tree may still be on its way.
      stopWaiting = effect(() => {
        const index = indexOfNode(calls.tree.value.rows, id);
        if (index === undefined) return;
        queueMicrotask(() => {
          stopWaiting();
          showRow(index);
        });
      });
    },
  };
}

function createProofView(
  persistentSignal: PersistentSignals['persistentSignal'],
  tab: Signal<TabId>,
): ProofView {
  const isProofOpen = persistentSignal('overview.proof', false);
  const isProofWanted = signal(false);
  return {
    isProofOpen,
    isProofWanted,
    showProof() {
      batch(() => {
        tab.value = 'overview';
        isProofOpen.value = true;
        isProofWanted.value = true;
      });
    },
  };
}
