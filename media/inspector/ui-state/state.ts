import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { KnownCode, SourceLocation, UnknownCode } from '../../../server/api/source-locations';
import { internalId } from '../model/internal-rows';
import { indexOfFirst, indexOfNode, invocationAt } from '../model/tree-model';
import { createTreeState, type TreeState } from './tree-state';
import type { Names } from '../../../server/presentation/segment';
import { createNames } from './known-names';
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

/** Source locations of calls in the user's projects, by node of the invocation flow. */
type Locations = ReadonlyMap<number, SourceLocation>;

/** The state of the inspector, including the user's position. Components read signals; only actions write them. */
export interface InspectorState extends Pick<PartStore, 'parts' | 'load' | 'cancel'> {
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
  locations: ReadonlySignal<Locations>;
  /** What is known of the source of the code that a call executes, by node of the invocation flow. */
  codes: ReadonlySignal<ReadonlyMap<number, KnownCode | UnknownCode>>;
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
  /** Whether the overview shows how the analysis is proved. */
  isProofOpen: Signal<boolean>;
  /** Set if the proof is to get the focus. Its section clears it. */
  isProofWanted: Signal<boolean>;
  /** Shows how the analysis is proved. */
  showProof: () => void;
  /** Shows a row in the call tree. */
  showRow: (index: number) => void;
  /** Shows a node of the invocation flow in the call tree. */
  showNode: (id: number) => void;
}

/** Loaded at once, because the first screen shows them. */
const FIRST: readonly PartId[] = ['flow', 'balanceChange'];

const VERSION = 2;
const NO_HOST_CONTEXT: HostContext = { hasExplorer: false, actions: [] };

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
  const { parts, load, reload, cancel, receive, endProof, reset } = createPartStore(post);
  const source = signal<Source | undefined>(undefined);
  const hostContext = signal(NO_HOST_CONTEXT);
  const debuggerPlace = signal<DebuggerPlace | undefined>(undefined);
  let isProofMissed = false;
  const tab = persistentSignal<TabId>('tab', 'overview');
  const flow = computed(() => {
    const part = parts.flow.value;
    return part.state === 'ready' ? part.value : undefined;
  });
  const isWhole = computed(
    () => parts.flow.value.state === 'ready' && parts.flow.value.missing === 0,
  );
  const names = createNames([parts.flow, parts.fundFlow, parts.stateDiff, parts.gasProfile]);
  const internalNodes = computed(() => {
    const { value } = parts.internalCalls;
    return value.state === 'ready' && value.missing === 0 ? value.value.nodes : undefined;
  });
  const locations = computed<Locations>(() => {
    const { value } = parts.sourceLocations;
    const known = value.state === 'ready' ? value.value.locations : [];
    const inside = (internalNodes.value ?? []).flatMap(({ internal }) =>
      internal?.declaration === undefined
        ? []
        : {
            nodeId: internalId(internal.call),
            contract: internal.contract,
            function: internal.declaration,
          },
    );
    return new Map([...known, ...inside].map((one) => [one.nodeId, one]));
  });
  const codes = computed(() => {
    const { value } = parts.sourceLocations;
    const { sources = [], unknown = [] } = value.state === 'ready' ? value.value : {};
    return new Map([...sources, ...unknown].flatMap((code) => code.calls.map((id) => [id, code])));
  });
  const isRestored = Object.hasOwn(view, 'expansion');
  const calls = createTreeState({
    flow,
    internalNodes,
    isWhole,
    names,
    persistentSignal,
    isRestored,
  });

  function showRow(index: number): void {
    batch(() => {
      tab.value = 'calls';
      calls.show(index);
    });
  }

  const isProofOpen = persistentSignal('overview.proof', false);
  const isProofWanted = signal(false);

  const debuggedRow = computed(() => {
    const { value } = debuggerPlace;
    if (value === undefined) return undefined;
    const ids = [
      ...value.internalCalls.map(internalId),
      ...(value.node === null ? [] : [value.node]),
    ];
    return indexOfFirst(calls.tree.value.rows, ids);
  });
  let isSelectionKept = false;

  /** Selects the call in which the debugger is, without leaving the tab. */
  function followDebugger(): void {
    const index = debuggedRow.value;
    if (index !== undefined && !isSelectionKept) calls.show(index, false);
    isSelectionKept = false;
  }

  /** Reloads if the flow reports a running proof whose end may have been missed. */
  function checkProof(): void {
    if (!isProofMissed || !isWhole.value) return;
    isProofMissed = false;
    if (flow.value?.verification?.proof === 'running') for (const part of FIRST) reload(part);
  }

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
    debugger: debuggerPlace,
    debuggedRow,
    keepSelection() {
      isSelectionKept = true;
    },
    nativeSymbol: computed(() => flow.value?.transaction.nativeSymbol ?? ''),
    method: computed(() => invocationAt(calls.tree.value, 0)?.decodedMethod?.name ?? ''),
    saved: computed(
      () => source.value && { version: VERSION, source: source.value, view: values.value },
    ),
    isProofOpen,
    isProofWanted,
    showProof() {
      batch(() => {
        tab.value = 'overview';
        isProofOpen.value = true;
        isProofWanted.value = true;
      });
    },
    showRow,
    toggleInternals() {
      calls.keepPlace(() => {
        calls.internals.value = !calls.internals.value;
      });
      if (calls.internals.value) load('internalCalls');
    },
    showNode(id) {
      const index = indexOfNode(calls.tree.value.rows, id);
      if (index !== undefined) showRow(index);
    },
    receive(message) {
      batch(() => {
        switch (message.type) {
          case 'open':
            source.value = message.source;
            hostContext.value = NO_HOST_CONTEXT;
            reset();
            start();
            return;
          case 'hostContext':
            hostContext.value = message.hostContext;
            return;
          case 'debugger':
            debuggerPlace.value = message.place;
            followDebugger();
            return;
          case 'checkProof':
            isProofMissed = true;
            checkProof();
            return;
          case 'proved':
            endProof(message.end);
            for (const part of message.end.corrected === undefined
              ? (['balanceChange'] as const)
              : (Object.keys(parts) as PartId[])) {
              reload(part);
            }
            return;
          default:
            if (message.part === 'internalCalls') {
              calls.keepPlace(() => {
                receive(message);
              });
              return;
            }
            receive(message);
            if (message.part !== 'flow') return;
            calls.arrange();
            if (!isWhole.value) return;
            if (hasSourceLinks) load('sourceLocations');
            if (calls.internals.value) load('internalCalls');
            checkProof();
        }
      });
    },
  };
}
