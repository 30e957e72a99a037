import type { BalanceChange, FlowNode, InvocationFlow } from '../../server/api/explorer';

/** What one inspector shows: a transaction of a chain (slug) or of a fork (id). */
export interface Target {
  chain: string;
  transaction: string;
}

/** A call or an event. `depth` 0 is the top call; an event has the depth of its frame plus 1. */
export type FlowRow = FlowNode & { depth: number };

/**
 * The invocation flow as the webview takes it: the nodes in execution order, each with its depth, which together
 * are the whole tree. Flat, so that no depth of nesting can exhaust a stack on the way.
 */
export interface Flow extends Pick<
  InvocationFlow,
  'status' | 'transaction' | 'labels' | 'verification'
> {
  rows: FlowRow[];
}

/** An error as it is shown. `code` is the envelope's; 0 where there was no answer of the service. */
export interface Failure {
  code: number;
  message: string;
}
export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** A page of the chain's block explorer. The host makes the URL: the webview never names one. */
export interface ExplorerPage {
  kind: 'transaction' | 'address' | 'block';
  id: string;
}

export type ToWebview =
  | { type: 'loading'; target: Target }
  | { type: 'flow'; outcome: Outcome<Flow>; hasExplorer: boolean }
  | { type: 'balances'; outcome: Outcome<BalanceChange> };

export type FromWebview =
  /** Sent once by every fresh document; nothing is posted to it before. */
  | { type: 'ready' }
  | { type: 'retry' }
  | { type: 'copy'; text: string }
  | { type: 'openExplorer'; page: ExplorerPage };

/** The views of an analysis; each has its case in `panelOf` and its entry in the tab bar. */
export type TabId = 'calls' | 'balances';

/** What outlives hiding, moving and reloading: where the reader is. The data is posted again. */
export interface SavedState extends Target {
  tab: TabId;
  /** Calls above this depth are open; `except` lists the rows for which it is the other way round. */
  expansion: { depth: number; except: number[] };
  selected: number;
  details: boolean;
  scroll: number;
}
