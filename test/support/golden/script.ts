/** Where a step of a script goes. Lines are `File.sol:31`. */
export type Move =
  /** The first time that a line is entered, or the n-th one. */
  | { goto: string; time?: number }
  /** So many steps to the next or to an earlier line, into calls, over them or out of them. */
  | { into: number }
  | { over: number }
  | { out: number }
  | { back: number }
  | { backOver: number }
  | { backOut: number }
  | { instructions: number }
  | { instructionsBack: number }
  /** To the next breakpoint, or to the end. */
  | { continue: Breakpoint | 'end' }
  /** To the breakpoint before, or to the start. */
  | { reverse: Breakpoint | 'start' };

/** `write` and `access` of a variable in storage, evaluated where the debugger stands. */
export type Breakpoint =
  | { line: string; condition?: string }
  | { function: string }
  | { write: string }
  | { access: string }
  /** A write of a slot by its number, of an account by its name. */
  | { slot: string; of: string }
  | { event: string }
  | { failure: 'uncaught' | 'all' | 'panic' };

/** Values as the debugger writes them, or `unavailable, because …`; of a variable with members, those. */
export type Values = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** What a call of the call stack sees. */
export interface Seen {
  /** All arguments, results and local variables; a text where there are none, and why. */
  locals?: Readonly<Record<string, string>> | string;
  /** All state variables. */
  state?: Readonly<Record<string, string>>;
  /** Slots that the transaction touches, with values: both without leading zeros. */
  storage?: Readonly<Record<string, string>>;
  /** Expressions. */
  values?: Values;
  /** Expressions: values before the transaction, of variables that it has changed. */
  before?: Readonly<Record<string, string>>;
}

/** What holds where the debugger stands. */
export interface Expected extends Seen {
  /** The line. */
  at?: string;
  /** Calls, the innermost first: `Contract.function(argument: value):line`. */
  stack?: readonly string[];
  /** What the callers see, from the innermost one on. */
  callers?: readonly Seen[];
  /** What the breakpoint says. */
  says?: string;
  /** The instruction. */
  op?: string;
  /** The stack, the top last. */
  words?: readonly string[];
}

export type ScriptStep = Move & Expected;
