import type { Simulation } from '../../media/inspector/protocol/protocol';
import type { EditorBreakpoint, PlacedBreakpoint } from '../../server/api/case-content';
import type { WebviewPanel } from 'vscode';
import type { Event } from '../editor/emitter';

/** Type of our debug sessions, as in the manifest. */
export const DEBUG_TYPE = 'forklens';

/** What to debug: a transaction, or one that was not sent. */
export type DebugTarget = DebugSubject & {
  /** Where the debugger stops first. Default: the entry. */
  stopAt?: FirstStop;
  /** Of a session that begins. */
  kept?: KeptBreakpoints;
  /** Set in the editor before the session begins. */
  breakpoints?: readonly EditorBreakpoint[];
  /** The inspector that asks: a running debugger leaves the focus there. */
  panel?: WebviewPanel;
};
/** A number is a node of the call tree; `call` is the index of a call in the recording, which has those inside contracts, too; `step` is one of `build`. */
export type FirstStop =
  'entry' | 'failure' | number | { call: number } | { step: number; build?: DebuggedBuild };
/** Breakpoints on data and instructions that a case file keeps. */
export interface KeptBreakpoints {
  /** Whose instructions are meant. */
  build: DebuggedBuild;
  breakpoints: readonly PlacedBreakpoint[];
}
/** Of which codes the steps are. */
type DebuggedBuild = 'executed' | 'unoptimized';
type DebugSubject =
  | {
      /** Slug of a chain or id of a fork; undefined: it is searched for. */
      chain?: string;
      transaction: string;
    }
  | Simulation;

/** Where a debugger is in a recording. */
export interface PlaceInRecording {
  /** Slug of the chain, or id of the fork. */
  chain: string;
  /** Hash, or the id of a recorded simulation. */
  transaction: string;
  isSimulation: boolean;
  step: number;
  /** Of which codes the steps are. */
  build: DebuggedBuild;
  /** Number of steps in all. */
  steps: number;
  /** Node of the call tree; null where there is none. */
  node: number | null;
  /** Calls of functions inside that node's contract, as indices of the recording, innermost first. */
  internalCalls: number[];
  /** Names of the executed contracts whose source is known. */
  contracts: string[];
  /** Set where a call fails at this step, and its line is known. */
  failure?: FailingLine;
}

/** A line at which a call fails. */
export interface FailingLine {
  /** Path of a file, or the address of a document. */
  path: string;
  /** From 1. */
  line: number;
  /** The decoded error. */
  reason: string;
}

/** A fork that is deleted when the session ends: `throwAway` of its configuration. */
export interface ThrowAwayFork {
  projectId: string;
  forkId: string;
}

/** A transaction with changed variables, to debug from its start. */
export interface ChangedSimulation {
  /** The body of `simulate`, with the overrides. */
  simulate: Record<string, unknown>;
  /** In words, such as `total = 5`. */
  changes: string[];
}

/** A compiler that would give a session its local variables. */
export interface MissingCompiler {
  /** Such as `0.8.19`. */
  version: string;
  /** Names of the contracts, without repetitions. */
  contracts: string[];
}

/** The debugged analysis, as the inspector identifies one, and the call in which its debugger is. */
export interface DebuggedCall {
  subject: { chain: string; transaction: string } | Pick<Simulation, 'chain' | 'request'>;
  node: number | null;
  /** Calls of functions inside that node's contract, innermost first. */
  internalCalls: readonly number[];
  /** Names of the contracts whose source is known. */
  contracts: readonly string[];
  /** Set while the debugger is where a call fails. */
  failure?: FailingLine | undefined;
}

/** The session on a subject; undefined: there is none. */
export function debuggedCallOf<Call extends DebuggedCall>(
  { calls }: { calls: readonly Call[] },
  subject: DebuggedCall['subject'],
): Call | undefined {
  return calls.find((call) => sameSubject(call.subject, subject));
}

export const sameSubject = (
  one: DebuggedCall['subject'],
  other: DebuggedCall['subject'],
): boolean => keyOf(one) === keyOf(other);

const keyOf = (subject: DebuggedCall['subject']): string =>
  'request' in subject
    ? JSON.stringify([subject.chain, subject.request])
    : `${subject.chain} ${subject.transaction.toLowerCase()}`;

/** Debug sessions, for those that follow them. */
export interface Debugging {
  /** Where each session is. */
  readonly calls: readonly DebuggedCall[];
  readonly onDidChange: Event<undefined>;
  /**
   * Moves the debugger of a subject. @param panel keeps the focus; sources open beside it
   * @returns false: nothing debugs the subject @throws ApiError with the adapter's message
   */
  move(subject: DebuggedCall['subject'], to: FirstStop, panel?: WebviewPanel): Promise<boolean>;
}

/** What the editor passes to a command of the menu of a variable. */
export interface VariableContext {
  container?: { variablesReference?: number };
  variable?: { name?: string; evaluateName?: string };
}
