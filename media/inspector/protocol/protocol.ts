import type { Change } from '../../../server/api/changes';
import type { BalanceChange, InvocationFlow } from '../../../server/api/explorer';
import type { Progress } from '../../../server/api/progress';
import type { FailedConditions } from '../../../server/api/recording-conditions';
import type { RouteRequest } from '../../../server/api/routes';
import type { SourceLocations, SourcePlace } from '../../../server/api/source-locations';
import type { FlowRow } from '../../../server/presentation/flow-row';
import type { Analysis, FundFlow, GasProfile, StateDiff } from '../../../server/api/views';
import type { BalanceComparison } from '../../../server/api/verification';

/** A transaction of a chain (slug) or of a fork (id). */
export interface Target {
  chain: string;
  transaction: string;
}
/** A transaction that was not sent: the body of `simulate`. `title` is the user's name for it. */
export interface Simulation {
  chain: string;
  request: RouteRequest<'simulate'>['body'];
  title?: string;
}
/** The source of an inspector's analysis. */
export type Source = ({ kind: 'transaction' } & Target) | ({ kind: 'simulation' } & Simulation);

export type { FlowRow };

/** A call of a function inside a contract. */
export interface InternalCall {
  /** Index of the call in the recording. */
  call: number;
  /** Empty where it is unknown. */
  name: string;
  /** Name of the contract whose code it is; empty where it is unknown. */
  contract: string;
  /** Account whose storage it uses. */
  address: string;
  /** Values that are not known are `?`. Left out where the parameters are not known. */
  arguments?: { name: string; type: string; value: string }[];
  declaration?: SourcePlace;
}

/** What a recording says of a node of the invocation flow, or of a call inside a contract. */
export interface ExecutedNode {
  /** Of the invocation flow; left out for a call inside a contract. */
  nodeId?: number;
  /** 0 for the top call; calls inside contracts count. */
  depth: number;
  internal?: InternalCall;
}

/**
 * The invocation flow in the webview's form: the nodes in execution order, each with its depth, which together describe the
 * complete tree. Flat, so that no depth of nesting can exhaust the stack during serialization.
 */
export interface Flow extends Pick<
  Analysis,
  'status' | 'transaction' | 'labels' | 'nameSources' | 'verification' | 'simulation' | 'summary'
> {
  rows: FlowRow[];
}

/** All names of the user, also of addresses that the analysis does not contain. */
type Labels = InvocationFlow['labels'];

/** Balance changes, with how far they were compared with the state. */
interface Balances extends Pick<BalanceChange, 'status' | 'balanceChange'> {
  verification?: BalanceComparison | undefined;
}

/** The parts of an analysis. They are loaded when needed, and fail independently. */
export interface Parts {
  flow: Flow;
  balanceChange: Balances;
  fundFlow: Omit<FundFlow, 'verification'>;
  stateDiff: StateDiff['stateDiff'] & { labels: Labels };
  gasProfile: GasProfile['gasProfile'] & { labels: Labels };
  sourceLocations: SourceLocations & {
    /** Names of the contracts that run, as far as their sources are known. */
    contracts: string[];
  };
  /** In order of execution. */
  internalCalls: { nodes: ExecutedNode[] };
  /** Why the source made a failed transaction fail, from its recording. */
  failedConditions: FailedConditions;
}
export type PartId = keyof Parts;

/** The potentially long list of each part. It is sent in slices after the rest of the part. */
export const LIST_OF = {
  flow: 'rows',
  balanceChange: 'balanceChange',
  fundFlow: 'fundFlow',
  stateDiff: 'accounts',
  gasProfile: 'frames',
  sourceLocations: 'locations',
  internalCalls: 'nodes',
  failedConditions: 'conditions',
} as const satisfies { [Id in PartId]: keyof Parts[Id] };

/** A part without its list. */
export type Head<Id extends PartId> = Omit<Parts[Id], (typeof LIST_OF)[Id]>;

/** An error to show. `code` is the envelope's error code; 0 if the service did not answer. */
export interface Failure {
  code: number;
  message: string;
}

/** A page of the chain's block explorer. The host builds the URL: the webview never provides one. */
export interface ExplorerPage {
  kind: 'transaction' | 'address' | 'block';
  id: string;
}

/** Commands of the host that receive the inspector's source. */
export const ACTIONS = [
  'debugTransaction',
  'forkBeforeTransaction',
  'resimulateTransaction',
  'createFoundryTest',
  'compareWith',
  'saveAsCase',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Facts about a fork. */
export interface ForkOrigin {
  name: string;
  /** Slug of the forked chain. */
  chain: string;
  /** The block of the fork point. */
  blockNumber: number;
  /** Number of that block's transactions that the fork contains; null: all of them. */
  position: number | null;
}

/** Facts that the host provides about the source's chain or fork. */
export interface HostContext {
  hasExplorer: boolean;
  /** Missing for a chain or an unknown fork. */
  fork?: ForkOrigin;
  /** Actions that the host can run on this source. */
  actions: Action[];
  /** Whether the host can find the change of a value. */
  canAskPast?: boolean;
  /** True for a standalone page without an editor. */
  isPage?: boolean;
  /** Opens the analysis in an editor. Missing for a simulation. */
  link?: string;
}

/** The current theme: values of VS Code's colour and font variables by name, and the classes of the body that identify its kind. */
export interface Look {
  variables: Record<string, string>;
  bodyClasses: string[];
}

/** Where a debugger is. */
export interface DebuggerPlace {
  /** Node of the invocation flow; null where there is none. */
  node: number | null;
  /** Calls of functions inside that node's contract, as indices of the recording, innermost first. */
  internalCalls: readonly number[];
}

/** A part of the state that a transaction wrote, or an event. */
export interface WrittenPart {
  /** As the document names it. */
  label: string;
  /** Of the operation `getWriters`. */
  query: Pick<
    RouteRequest<'getWriters'>['query'],
    'address' | 'of' | 'slot' | 'offset' | 'length' | 'asset' | 'tokenId' | 'change' | 'node'
  >;
  /** Of the value of a slot; left out where it is not known. */
  type?: string;
}

/** Result of the proof of an analysis. */
export type ProofEnd = Pick<
  Extract<Change, { type: 'analysis' }>,
  'level' | 'reason' | 'corrected'
>;

export type PartMessage =
  | { type: 'progress'; part: PartId; progress: Progress }
  /** Starts a part: `total` items follow in slices. */
  | { [Id in PartId]: { type: 'head'; part: Id; head: Head<Id>; total: number } }[PartId]
  /** The next items, as the text of a JSON array, so that intermediaries need not parse it. */
  | { type: 'slice'; part: PartId; items: string }
  | { type: 'failed'; part: PartId; failure: Failure };

export type ToWebview =
  /** Starts an analysis and discards the previous one. */
  | { type: 'open'; source: Source }
  | { type: 'hostContext'; hostContext: HostContext }
  | { type: 'proved'; end: ProofEnd }
  /** The end of a proof may have been missed. */
  | { type: 'checkProof' }
  /** Where a debugger of this analysis is; undefined: there is none. */
  | { type: 'debugger'; place: DebuggerPlace | undefined }
  /** The editor has given the focus to something else, and the document takes it back. */
  | { type: 'takeFocus' }
  /** Selects a node of the call tree. */
  | { type: 'showNode'; node: number }
  | PartMessage;

/** Messages that change what the document shows. */
export type StateMessage = Exclude<ToWebview, { type: 'takeFocus' | 'showNode' }>;

/** A side of a comparison. */
export type SideId = 'left' | 'right';

/** Messages from the host of a comparison: first the sources, then the parts of either side. */
export type ToComparison =
  | ({ type: 'compare' } & Record<SideId, Source>)
  | { type: 'side'; side: SideId; message: SideMessage };

/** Messages from the host about one side. */
export type SideMessage = PartMessage | Extract<ToWebview, { type: 'hostContext' }>;

export type PartRequest =
  | { type: 'load'; part: PartId }
  /** Requests the part from the service again, because its response has changed. */
  | { type: 'reload'; part: PartId }
  | { type: 'cancel'; part: PartId }
  /** The slice was processed; the next one may follow. */
  | { type: 'taken'; part: PartId };

export type FromWebview =
  /** Sent once by each new document; the host posts nothing before it. */
  | { type: 'ready' }
  | PartRequest
  /** The decoded method of the top call, for the title of the panel. */
  | { type: 'title'; method: string }
  | { type: 'copy'; text: string }
  /** The document has put a picture on the clipboard itself. */
  | { type: 'copied' }
  /** Asks the user for a location, then writes the file. `content` is text, or bytes in base64. */
  | { type: 'save'; name: string; content: string; encoding?: 'base64' }
  /** Asks the user for a location, then writes a page for the browser. `data` is JSON of the source, the parts and the fork. */
  | { type: 'savePage'; name: string; data: string; look: Look }
  | { type: 'openExplorer'; page: ExplorerPage }
  | { type: 'openSource'; place: SourcePlace }
  /** Shows another transaction of the same chain or fork. */
  | { type: 'openTransaction'; transaction: string }
  /** Finds when a value changed. `contract`: whose variables need no name in the expression. */
  | { type: 'whenChanged'; expression: string; contract?: string }
  | { type: 'run'; action: Action }
  /** Debugs from a node of the invocation flow, from a call of the recording, or from the failure; moves a debugger that is on this analysis. */
  | { type: 'debug'; from: number | 'failure' | { call: number } }
  /** Asks what wrote a part of the state, and goes there: in the debugger, or in the call tree where there is no source. */
  | { type: 'goToWriter'; written: WrittenPart }
  /** Moves a debugger that is on this analysis; starts none. */
  | { type: 'moveDebugger'; to: number | { call: number } };

/** Additional messages from the document of a comparison. */
export interface FromComparison {
  type: 'side';
  side: SideId;
  request: PartRequest;
}

/** The views of an analysis, in their order. */
export const TABS = [
  'overview',
  'calls',
  'balances',
  'fundFlow',
  'events',
  'state',
  'gas',
] as const;
export type TabId = (typeof TABS)[number];

/** The user's position in the views, which survives hiding, moving and reloading. The data is requested again. */
export interface SavedState {
  /** Version of the form of `view`; a state of another version is ignored. */
  version: 2;
  source: Source;
  /** Values of `InspectorState.persistentSignal` by name. */
  view: Record<string, unknown>;
}

/** The state of a comparison, which survives hiding, moving and reloading. */
export interface SavedComparison extends Record<SideId, Source> {
  /** Version of the form of `view`; a state of another version is ignored. */
  version: 3;
  /** Values of the comparison's keeper by name. */
  view: Record<string, unknown>;
}
