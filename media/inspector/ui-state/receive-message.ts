import { batch, type ReadonlySignal, type Signal } from '@preact/signals';
import type { PartStore } from '../protocol/parts';
import type {
  Flow,
  HostContext,
  PartId,
  PartMessage,
  ProofEnd,
  Source,
  StateMessage,
} from '../protocol/protocol';
import type { DebuggedCall } from './debugged-call';
import type { TreeState } from './tree-state';

/** Loaded at once, because the first screen shows them. */
export const FIRST: readonly PartId[] = ['flow', 'balanceChange'];
export const NO_HOST_CONTEXT: HostContext = { hasExplorer: false, actions: [] };

/** What messages of the host change. */
interface Received {
  store: PartStore;
  source: Signal<Source | undefined>;
  hostContext: Signal<HostContext>;
  flow: ReadonlySignal<Flow | undefined>;
  /** Whether all rows of the flow have arrived. */
  isWhole: ReadonlySignal<boolean>;
  calls: TreeState;
  debugged: DebuggedCall;
  /** Whether the views link to sources, whose places are then loaded. */
  hasSourceLinks: boolean;
  start: () => void;
}

/** Applies the messages of the host. */
export function createReceiver(received: Received): (message: StateMessage) => void {
  const { store, source, hostContext, flow, isWhole, calls, debugged } = received;
  let isProofMissed = false;

  /** Reloads if the flow reports a running proof whose end may have been missed. */
  function checkProof(): void {
    if (!isProofMissed || !isWhole.value) return;
    isProofMissed = false;
    if (flow.value?.verification?.proof === 'running') {
      for (const part of FIRST) store.reload(part);
    }
  }

  function proved(end: ProofEnd): void {
    store.endProof(end);
    const changed: readonly PartId[] =
      end.corrected === undefined ? ['balanceChange'] : (Object.keys(store.parts) as PartId[]);
    for (const part of changed) store.reload(part);
  }

  function arrived(message: PartMessage): void {
    if (message.part === 'internalCalls') {
      calls.keepPlace(() => {
        store.receive(message);
      });
      return;
    }
    store.receive(message);
    if (message.part !== 'flow') return;
    calls.arrange();
    if (!isWhole.value) return;
    if (received.hasSourceLinks) store.load('sourceLocations');
    if (calls.internals.value) store.load('internalCalls');
    checkProof();
  }

  function apply(message: StateMessage): void {
    switch (message.type) {
      case 'open':
        source.value = message.source;
        hostContext.value = NO_HOST_CONTEXT;
        store.reset();
        received.start();
        return;
      case 'hostContext':
        hostContext.value = message.hostContext;
        return;
      case 'debugger':
        debugged.place.value = message.place;
        debugged.follow();
        return;
      case 'checkProof':
        isProofMissed = true;
        checkProof();
        return;
      case 'proved':
        proved(message.end);
        return;
      default:
        arrived(message);
    }
  }

  return (message) => {
    batch(() => {
      apply(message);
    });
  };
}
