import type { Change } from '../../server/api/changes';
import type { BalanceChange, FlowNode, InvocationFlow } from '../../server/api/explorer';
import type { Progress } from '../../server/api/progress';
import type { RouteRequest } from '../../server/api/routes';
import type { SourceLocations, SourcePlace } from '../../server/api/source-locations';
import type { Analysis, FundFlow, GasProfile, StateDiff } from '../../server/api/views';

/** A transaction of a chain (slug) or of a fork (id). */
export interface Target {
  chain: string;
  transaction: string;
}
/** A transaction that nobody has sent: the body of `simulate`. `title` is what the reader calls it. */
export interface Simulation {
  chain: string;
  request: RouteRequest<'simulate'>['body'];
  title?: string;
}
/** What one inspector shows. */
export type Source = ({ kind: 'transaction' } & Target) | ({ kind: 'simulation' } & Simulation);

/** A call or an event. `depth` 0 is the top call; an event has the depth of its frame plus 1. */
export type FlowRow = FlowNode & { depth: number };

/**
 * The invocation flow as the webview takes it: the nodes in execution order, each with its depth, which together
 * are the whole tree. Flat, so that no depth of nesting can exhaust a stack on the way.
 */
export interface Flow extends Pick<
  Analysis,
  'status' | 'transaction' | 'labels' | 'verification' | 'simulation'
> {
  rows: FlowRow[];
}

type Labels = InvocationFlow['labels'];

/** What an analysis consists of. Parts are fetched when they are needed, and fail independently. */
export interface Parts {
  flow: Flow;
  balanceChange: BalanceChange;
  fundFlow: Omit<FundFlow, 'verification'>;
  stateDiff: StateDiff['stateDiff'] & { labels: Labels };
  gasProfile: GasProfile['gasProfile'] & { labels: Labels };
  sourceLocations: SourceLocations;
}
export type PartId = keyof Parts;

/** The list of each part that may be long. It travels in slices, behind the rest of the part. */
export const LIST_OF = {
  flow: 'rows',
  balanceChange: 'balanceChange',
  fundFlow: 'fundFlow',
  stateDiff: 'accounts',
  gasProfile: 'frames',
  sourceLocations: 'locations',
} as const satisfies { [Id in PartId]: keyof Parts[Id] };

/** A part without what stands in its list. */
export type Head<Id extends PartId> = Omit<Parts[Id], (typeof LIST_OF)[Id]>;

/** An error as it is shown. `code` is the envelope's; 0 where there was no answer of the service. */
export interface Failure {
  code: number;
  message: string;
}

/** A page of the chain's block explorer. The host makes the URL: the webview never names one. */
export interface ExplorerPage {
  kind: 'transaction' | 'address' | 'block';
  id: string;
}

/** Commands of the host that take what the inspector shows. */
export const ACTIONS = [
  'forkBeforeTransaction',
  'resimulateTransaction',
  'createFoundryTest',
  'compareWith',
] as const;
export type Action = (typeof ACTIONS)[number];

/** A fork as its users know it. */
export interface ForkPlace {
  name: string;
  /** Slug of the forked chain. */
  chain: string;
  /** The block that it is forked at. */
  blockNumber: number;
  /** Transactions of that block that it has; null: all of them. */
  position: number | null;
}

/** What the host knows of the surroundings. */
export interface Surroundings {
  hasExplorer: boolean;
  /** Missing where it is a chain, or nothing is known of the fork. */
  fork?: ForkPlace;
  /** Those that the host can run on this source. */
  actions: Action[];
  /** There is no editor around it: it is a page of its own. */
  isPage?: boolean;
}

/** The theme in force: values of VS Code's colour and font variables by name, and the classes of the body that tell its kind. */
export interface Look {
  variables: Record<string, string>;
  bodyClasses: string[];
}

/** How the proof of an analysis ended. */
export type ProofEnd = Pick<
  Extract<Change, { type: 'analysis' }>,
  'level' | 'reason' | 'corrected'
>;

export type PartMessage =
  | { type: 'progress'; part: PartId; progress: Progress }
  /** Begins a part: `total` items follow in slices. */
  | { [Id in PartId]: { type: 'head'; part: Id; head: Head<Id>; total: number } }[PartId]
  /** The next items: a JSON array as text, so that who passes it on need not walk through it. */
  | { type: 'slice'; part: PartId; items: string }
  | { type: 'failed'; part: PartId; failure: Failure };

export type ToWebview =
  /** Begins anew: what was shown before is void. */
  | { type: 'open'; source: Source }
  | { type: 'surroundings'; surroundings: Surroundings }
  | { type: 'proved'; end: ProofEnd }
  /** The end of a proof may have been missed. */
  | { type: 'checkProof' }
  | PartMessage;

/** One of two analyses that are compared. */
export type SideId = 'left' | 'right';

/** What the host of a comparison posts: first what is compared, then the parts of either side. */
export type ToComparison =
  | ({ type: 'compare' } & Record<SideId, Source>)
  | { type: 'side'; side: SideId; message: SideMessage };

/** What the host tells of one side. */
export type SideMessage = PartMessage | Extract<ToWebview, { type: 'surroundings' }>;

export type PartRequest =
  | { type: 'load'; part: PartId }
  /** Asks the service again: its answer has changed. */
  | { type: 'reload'; part: PartId }
  | { type: 'cancel'; part: PartId }
  /** A slice has been taken in, and another one may come. */
  | { type: 'taken'; part: PartId };

export type FromWebview =
  /** Sent once by every fresh document; nothing is posted to it before. */
  | { type: 'ready' }
  | PartRequest
  /** What the transaction does, for the title of the panel: the top call's method as decoded. */
  | { type: 'title'; method: string }
  | { type: 'copy'; text: string }
  /** Asks the user where to, then writes the file. `content` is text, or base64 of bytes. */
  | { type: 'save'; name: string; content: string; encoding?: 'base64' }
  /** Asks the user where to, then writes a page for the browser. `data` is JSON of the source, the parts and the fork. */
  | { type: 'savePage'; name: string; data: string; look: Look }
  | { type: 'openExplorer'; page: ExplorerPage }
  | { type: 'openSource'; place: SourcePlace }
  | { type: 'run'; action: Action };

/** What the document of a comparison posts besides. */
export interface FromComparison {
  type: 'side';
  side: SideId;
  request: PartRequest;
}

/** The views of an analysis. */
export type TabId = 'overview' | 'calls' | 'balances' | 'fundFlow' | 'events' | 'state' | 'gas';

/** What outlives hiding, moving and reloading: where the reader is. The data is asked for again. */
export interface SavedState {
  /** Of the form of `view`; a state of another version is not taken up. */
  version: 2;
  source: Source;
  /** Values of `InspectorState.keep` by name. */
  view: Record<string, unknown>;
}

/** What of a comparison outlives hiding, moving and reloading. */
export interface SavedComparison extends Record<SideId, Source> {
  /** Of the form of `view`; that of another version is not taken up. */
  version: 3;
  /** Values of the comparison's keeper by name. */
  view: Record<string, unknown>;
}
