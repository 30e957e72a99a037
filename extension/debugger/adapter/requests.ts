import type { DebugProtocol } from '@vscode/debugprotocol';
import type { PlacedBreakpoint } from '../../../server/api/case-content';
import type { PlaceInRecording } from '../../model/debugging';
import type { Destination } from './destination';
import type { ExecutedLine } from './recorded-transaction';
import type { ShownFrame } from './stack-frames';
import type { ShownWriters } from './writers';

/** Arguments and answer of each request that the debugger handles. */
export interface Requests {
  initialize: (args: DebugProtocol.InitializeRequestArguments) => DebugProtocol.Capabilities;
  launch: (args: unknown) => void;
  configurationDone: (args: unknown) => void;
  disconnect: (args: DebugProtocol.DisconnectArguments) => void;
  terminate: (args: DebugProtocol.TerminateArguments) => void;
  cancel: (args: DebugProtocol.CancelArguments) => void;
  restart: (args: unknown) => void;
  restartFrame: (args: DebugProtocol.RestartFrameArguments) => void;
  continue: (args: DebugProtocol.ContinueArguments) => DebugProtocol.ContinueResponse['body'];
  reverseContinue: (args: DebugProtocol.ReverseContinueArguments) => void;
  next: (args: DebugProtocol.NextArguments) => void;
  stepIn: (args: DebugProtocol.StepInArguments) => void;
  stepInTargets: (
    args: DebugProtocol.StepInTargetsArguments,
  ) => DebugProtocol.StepInTargetsResponse['body'];
  stepOut: (args: DebugProtocol.StepOutArguments) => void;
  stepBack: (args: DebugProtocol.StepBackArguments) => void;
  pause: (args: DebugProtocol.PauseArguments) => void;
  gotoTargets: (
    args: DebugProtocol.GotoTargetsArguments,
  ) => DebugProtocol.GotoTargetsResponse['body'];
  goto: (args: DebugProtocol.GotoArguments) => void;
  threads: (args: unknown) => DebugProtocol.ThreadsResponse['body'];
  stackTrace: (args: DebugProtocol.StackTraceArguments) => DebugProtocol.StackTraceResponse['body'];
  scopes: (args: DebugProtocol.ScopesArguments) => DebugProtocol.ScopesResponse['body'];
  variables: (args: DebugProtocol.VariablesArguments) => DebugProtocol.VariablesResponse['body'];
  setVariable: (
    args: DebugProtocol.SetVariableArguments,
  ) => DebugProtocol.SetVariableResponse['body'];
  setExpression: (
    args: DebugProtocol.SetExpressionArguments,
  ) => DebugProtocol.SetExpressionResponse['body'];
  evaluate: (args: DebugProtocol.EvaluateArguments) => DebugProtocol.EvaluateResponse['body'];
  completions: (
    args: DebugProtocol.CompletionsArguments,
  ) => DebugProtocol.CompletionsResponse['body'];
  exceptionInfo: (
    args: DebugProtocol.ExceptionInfoArguments,
  ) => DebugProtocol.ExceptionInfoResponse['body'];
  source: (args: DebugProtocol.SourceArguments) => DebugProtocol.SourceResponse['body'];
  loadedSources: (args: unknown) => DebugProtocol.LoadedSourcesResponse['body'];
  disassemble: (
    args: DebugProtocol.DisassembleArguments,
  ) => DebugProtocol.DisassembleResponse['body'];
  readMemory: (args: DebugProtocol.ReadMemoryArguments) => DebugProtocol.ReadMemoryResponse['body'];
  breakpointLocations: (
    args: DebugProtocol.BreakpointLocationsArguments,
  ) => DebugProtocol.BreakpointLocationsResponse['body'];
  setBreakpoints: (
    args: DebugProtocol.SetBreakpointsArguments,
  ) => DebugProtocol.SetBreakpointsResponse['body'];
  setFunctionBreakpoints: (
    args: DebugProtocol.SetFunctionBreakpointsArguments,
  ) => DebugProtocol.SetFunctionBreakpointsResponse['body'];
  setInstructionBreakpoints: (
    args: DebugProtocol.SetInstructionBreakpointsArguments,
  ) => DebugProtocol.SetInstructionBreakpointsResponse['body'];
  setExceptionBreakpoints: (
    args: DebugProtocol.SetExceptionBreakpointsArguments,
  ) => DebugProtocol.SetExceptionBreakpointsResponse['body'];
  dataBreakpointInfo: (
    args: DebugProtocol.DataBreakpointInfoArguments,
  ) => DebugProtocol.DataBreakpointInfoResponse['body'];
  setDataBreakpoints: (
    args: DebugProtocol.SetDataBreakpointsArguments,
  ) => DebugProtocol.SetDataBreakpointsResponse['body'];
  // Ours.
  /** Breakpoints on data and instructions, as a case file keeps them. */
  'forklens/breakpoints': (args: unknown) => { breakpoints: PlacedBreakpoint[] };
  /** Where the debugger is; also the body of the event `forklens/stopped`. */
  'forklens/place': (args: unknown) => PlaceInRecording;
  /** Moves the debugger. */
  'forklens/goTo': (args: Destination) => void;
  /** The frame that a client would show at a place. */
  'forklens/frameAt': (args: Destination) => ShownFrame;
  /** What writes and reads a variable of a container, or an expression of a frame. */
  'forklens/writers': (args: {
    name: string;
    variablesReference?: number;
    frameId?: number;
  }) => ShownWriters;
  /** Values of expressions in a frame, for the lines of an editor; those that are not known are left out. */
  'forklens/values': (args: { names: readonly string[]; frameId?: number }) => {
    values: { name: string; value: string }[];
  };
  /** Executed lines of a source, with their gas; lines as those of the client. */
  'forklens/lines': (args: { source: DebugProtocol.Source }) => {
    lines: Pick<ExecutedLine, 'line' | 'count' | 'gas'>[];
  };
}

export type Handlers<Names extends keyof Requests = keyof Requests> = {
  [Name in Names]: (
    ...args: Parameters<Requests[Name]>
  ) => ReturnType<Requests[Name]> | Promise<ReturnType<Requests[Name]>>;
};
