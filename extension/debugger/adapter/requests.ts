import type { DebugProtocol } from '@vscode/debugprotocol';

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
  /** Of our own: where the debugger is, and to move it. */
  'forklens/place': [unknown, PlaceInRecording];
  'forklens/goTo': [{ step?: number; node?: number }, void];
}

/** Where the debugger is; also the body of the event `forklens/stopped`. */
export interface PlaceInRecording {
  /** Slug of the chain, or id of the fork. */
  chain: string;
  /** Hash, or the id of a recorded simulation. */
  transaction: string;
  isSimulation: boolean;
  step: number;
  /** Node of the invocation flow; null where there is none. */
  node: number | null;
}

export type Handlers<Names extends keyof Requests = keyof Requests> = {
  [Name in Names]: (args: Requests[Name][0]) => Requests[Name][1] | Promise<Requests[Name][1]>;
};
