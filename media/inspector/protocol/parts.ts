import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Progress } from '../../../server/api/progress';
import {
  LIST_OF,
  type Failure,
  type PartId,
  type PartMessage,
  type PartRequest,
  type Parts,
  type ProofEnd,
} from './protocol';

/** Loading state of a part of the analysis. */
export type Part<T> =
  | { state: 'idle' }
  | { state: 'loading'; progress: Progress | undefined }
  /** `missing`: items of its list that have not arrived yet; 0: the part is complete. */
  | { state: 'ready'; value: T; missing: number }
  | { state: 'failed'; failure: Failure };

export type PartSignals = { readonly [Id in PartId]: ReadonlySignal<Part<Parts[Id]>> };

export interface PartStore {
  parts: PartSignals;
  receive: (message: PartMessage) => void;
  /** Applies the end of the proof that the flow reports as running. */
  endProof: (end: ProofEnd) => void;
  /** Discards everything, because another analysis starts. */
  reset: () => void;
  /** Loads the part, unless it is loaded or loading. Retries a failed part. */
  load: (part: PartId) => void;
  /** Loads the part again. The current content stays until the new one arrives. */
  reload: (part: PartId) => void;
  cancel: (part: PartId) => void;
}

/** A part that is arriving. */
interface Arrival {
  head: object;
  total: number;
  items: unknown[];
  shown: number;
}

type AnyPart = Signal<Part<Parts[PartId]>>;

const IDLE = { state: 'idle' } as const;

const idleParts = () => ({
  flow: signal<Part<Parts['flow']>>(IDLE),
  balanceChange: signal<Part<Parts['balanceChange']>>(IDLE),
  fundFlow: signal<Part<Parts['fundFlow']>>(IDLE),
  stateDiff: signal<Part<Parts['stateDiff']>>(IDLE),
  gasProfile: signal<Part<Parts['gasProfile']>>(IDLE),
  sourceLocations: signal<Part<Parts['sourceLocations']>>(IDLE),
  internalCalls: signal<Part<Parts['internalCalls']>>(IDLE),
  failedConditions: signal<Part<Parts['failedConditions']>>(IDLE),
});

/** Receives the parts from the host in slices, and acknowledges each slice. */
export function createPartStore(post: (request: PartRequest) => void): PartStore {
  const parts = idleParts();
  const arrivals = new Map<PartId, Arrival>();
  let proofEnd: ProofEnd | undefined;
  const cell = (part: PartId): AnyPart => parts[part];

  /** Shows the first items at once, then again whenever their number has doubled, so that the total work stays linear. */
  function show(part: PartId, arrival: Arrival): void {
    const { head, items, total, shown } = arrival;
    const whole = items.length >= total;
    if (!whole && (items.length === 0 || items.length < 2 * shown)) return;
    arrival.shown = items.length;
    const list = whole ? items : items.slice();
    // The compiler does not see that head and items belong to this part.
    const value = { ...head, [LIST_OF[part]]: list } as unknown as Parts[PartId];
    cell(part).value = { state: 'ready', value, missing: total - items.length };
    if (part === 'flow') showProofEnd();
    if (whole) arrivals.delete(part);
  }

  function showProofEnd(): void {
    const part = parts.flow.peek();
    if (proofEnd === undefined || part.state !== 'ready') return;
    const value = withProofEnd(part.value, proofEnd);
    if (value) parts.flow.value = { ...part, value };
  }

  return {
    parts,
    endProof(end) {
      proofEnd = end;
      showProofEnd();
    },
    receive(message) {
      const { part } = message;
      switch (message.type) {
        case 'progress':
          if (cell(part).peek().state !== 'ready') {
            cell(part).value = { state: 'loading', progress: message.progress };
          }
          return;
        case 'head': {
          const arrival = { head: message.head, total: message.total, items: [], shown: 0 };
          arrivals.set(part, arrival);
          show(part, arrival);
          return;
        }
        case 'slice': {
          const arrival = arrivals.get(part);
          if (!arrival) return;
          post({ type: 'taken', part });
          for (const item of JSON.parse(message.items) as unknown[]) arrival.items.push(item);
          show(part, arrival);
          return;
        }
        case 'failed':
          arrivals.delete(part);
          cell(part).value = { state: 'failed', failure: message.failure };
          return;
      }
    },
    reset() {
      proofEnd = undefined;
      arrivals.clear();
      batch(() => {
        for (const part of Object.keys(parts) as PartId[]) cell(part).value = IDLE;
      });
    },
    load(part) {
      const { state } = cell(part).peek();
      if (state === 'loading' || state === 'ready') return;
      cell(part).value = { state: 'loading', progress: undefined };
      post({ type: 'load', part });
    },
    reload(part) {
      if (cell(part).peek().state === 'idle') return;
      post({ type: 'reload', part });
    },
    cancel(part) {
      post({ type: 'cancel', part });
    },
  };
}

/** A flow after the end of its proof; undefined if it reports no running one. */
function withProofEnd(flow: Parts['flow'], end: ProofEnd): Parts['flow'] | undefined {
  const { verification } = flow;
  return verification?.proof === 'running'
    ? { ...flow, verification: { ...verification, proof: undefined, ...end } }
    : undefined;
}
