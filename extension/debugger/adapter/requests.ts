import type { DebugProtocol } from '@vscode/debugprotocol';
import type { PlaceInRecording } from '../../model/debugging';
import type { ExecutedLine } from './recorded-transaction';

/** Arguments and answer of each request that the debugger handles. */
export interface Requests {
  initialize: [DebugProtocol.InitializeRequestArguments, DebugProtocol.Capabilities];
  launch: [unknown, void];
  configurationDone: [unknown, void];
  disconnect: [DebugProtocol.DisconnectArguments, void];
  terminate: [DebugProtocol.TerminateArguments, void];
  cancel: [DebugProtocol.CancelArguments, void];
  restart: [unknown, void];
  restartFrame: [DebugProtocol.RestartFrameArguments, void];
  continue: [DebugProtocol.ContinueArguments, DebugProtocol.ContinueResponse['body']];
  reverseContinue: [DebugProtocol.ReverseContinueArguments, void];
  next: [DebugProtocol.NextArguments, void];
  stepIn: [DebugProtocol.StepInArguments, void];
  stepOut: [DebugProtocol.StepOutArguments, void];
  stepBack: [DebugProtocol.StepBackArguments, void];
  pause: [DebugProtocol.PauseArguments, void];
  gotoTargets: [DebugProtocol.GotoTargetsArguments, DebugProtocol.GotoTargetsResponse['body']];
  goto: [DebugProtocol.GotoArguments, void];
  threads: [unknown, DebugProtocol.ThreadsResponse['body']];
  stackTrace: [DebugProtocol.StackTraceArguments, DebugProtocol.StackTraceResponse['body']];
  scopes: [DebugProtocol.ScopesArguments, DebugProtocol.ScopesResponse['body']];
  variables: [DebugProtocol.VariablesArguments, DebugProtocol.VariablesResponse['body']];
  setVariable: [DebugProtocol.SetVariableArguments, DebugProtocol.SetVariableResponse['body']];
  setExpression: [
    DebugProtocol.SetExpressionArguments,
    DebugProtocol.SetExpressionResponse['body'],
  ];
  evaluate: [DebugProtocol.EvaluateArguments, DebugProtocol.EvaluateResponse['body']];
  completions: [DebugProtocol.CompletionsArguments, DebugProtocol.CompletionsResponse['body']];
  exceptionInfo: [
    DebugProtocol.ExceptionInfoArguments,
    DebugProtocol.ExceptionInfoResponse['body'],
  ];
  source: [DebugProtocol.SourceArguments, DebugProtocol.SourceResponse['body']];
  loadedSources: [unknown, DebugProtocol.LoadedSourcesResponse['body']];
  disassemble: [DebugProtocol.DisassembleArguments, DebugProtocol.DisassembleResponse['body']];
  readMemory: [DebugProtocol.ReadMemoryArguments, DebugProtocol.ReadMemoryResponse['body']];
  breakpointLocations: [
    DebugProtocol.BreakpointLocationsArguments,
    DebugProtocol.BreakpointLocationsResponse['body'],
  ];
  setBreakpoints: [
    DebugProtocol.SetBreakpointsArguments,
    DebugProtocol.SetBreakpointsResponse['body'],
  ];
  setFunctionBreakpoints: [
    DebugProtocol.SetFunctionBreakpointsArguments,
    DebugProtocol.SetFunctionBreakpointsResponse['body'],
  ];
  setInstructionBreakpoints: [
    DebugProtocol.SetInstructionBreakpointsArguments,
    DebugProtocol.SetInstructionBreakpointsResponse['body'],
  ];
  setExceptionBreakpoints: [
    DebugProtocol.SetExceptionBreakpointsArguments,
    DebugProtocol.SetExceptionBreakpointsResponse['body'],
  ];
  dataBreakpointInfo: [
    DebugProtocol.DataBreakpointInfoArguments,
    DebugProtocol.DataBreakpointInfoResponse['body'],
  ];
  setDataBreakpoints: [
    DebugProtocol.SetDataBreakpointsArguments,
    DebugProtocol.SetDataBreakpointsResponse['body'],
  ];
  // Ours.
  /** Where the debugger is; also the body of the event `forklens/stopped`. */
  'forklens/place': [unknown, PlaceInRecording];
  /** Moves the debugger. */
  'forklens/goTo': [{ step?: number; node?: number; at?: 'entry' | 'failure' }, void];
  /** Executed lines of a source, with their gas; lines as those of the client. */
  'forklens/lines': [
    { source: DebugProtocol.Source },
    { lines: Pick<ExecutedLine, 'line' | 'count' | 'gas'>[] },
  ];
}

export type Handlers<Names extends keyof Requests = keyof Requests> = {
  [Name in Names]: (args: Requests[Name][0]) => Requests[Name][1] | Promise<Requests[Name][1]>;
};
