import type { Variable, Variables } from '../../../api/recording';
import type { Comparison, FailedCondition } from '../../../api/recording-conditions';
import type { Work } from '../../../kernel/async/slices';
import type { Recording } from '../../recording/recording';
import type { SourceCalls } from '../../recording/source-calls';
import type { ExpressionError } from './expression-error';
import type { OtherAccount, OtherStorage } from './other-state';
import type { ProgramFacts } from './program-facts';

/** A recording with what is known of its programs. */
export interface VariableSource {
  readonly recording: Recording;
  readonly calls: SourceCalls;
  /** The program of a frame's code, by the index of the frame; the same object each time. */
  readonly programOf: (frame: number) => ProgramFacts | undefined;
  /** Why nothing is known of a frame's variables; undefined where it has a program. */
  readonly whyUnknown?: (frame: number) => string | undefined;
  /** Values of slots that the transaction does not touch. */
  readonly otherStorage?: OtherStorage;
  /** Accounts that it does not touch. */
  readonly otherAccount?: OtherAccount;
}

/** Variables that a debugger lists together. */
export type Scope = 'state' | 'locals' | 'message' | 'block';

/** The variables of a recording, at any step. */
export interface RecordingVariables {
  /**
   * The variables of a call at a step. The recording has the state at hand (`Recording.stateWork`).
   * @param call on the call stack of the step; default: the innermost
   * @throws RangeError where the recording lacks the step, or the call is not on its call stack
   */
  at(step: number, call?: number): StepVariables;
  /**
   * The state variables of the contract of a call at a step, also where the call is over or has not begun. The recording has the state at hand.
   * @returns what lists and expands the scope `state`; nothing else of it is known
   * @throws RangeError where the recording lacks the step or the call
   */
  stateAt(step: number, call: number): Pick<StepVariables, 'list' | 'children'>;
  /**
   * What a function inside a contract returned. The recording has the state after its last step at hand.
   * @returns undefined where its function is not known, or it did not return
   */
  resultsOf(call: number): Variable[] | undefined;
  /** Work after which the variables of a long call are at hand at a step. */
  prepareWork(step: number, call: number): Work<void>;
  /**
   * Work that lists the writes and reads of an argument, a result or a local variable, from its declaration to the end of its scope.
   * @param step of the call, or of a call that it makes, at which the variable is looked up
   * @returns undefined where none of the name is visible there
   */
  accessesWork(name: string, step: number, call: number): Work<LocalAccesses | undefined>;
  /** Every name that the source of a frame's code has; undefined where that is not known. The same object each time. */
  mentioned(frame: number): ReadonlySet<string> | undefined;
  /** The condition of the source that decides about a failure. @param offset of the instruction in the frame's code; undefined where none is known */
  failingCondition(frame: number, offset: number): FailingCondition | undefined;
}

/** A write or a read of a local variable. */
export interface LocalAccess {
  readonly step: number;
  readonly isRead: boolean;
  /** Whether it is a write of another value. */
  readonly isChange: boolean;
  /** As written in the language; left out for the value that a variable begins with, and for what is no single value. */
  readonly before?: string;
  readonly after?: string;
}

export interface LocalAccesses {
  /** In order of execution. */
  readonly accesses: readonly LocalAccess[];
  /** Why they are not known. */
  readonly unavailable?: string;
  /** What is not among them. */
  readonly incomplete?: string;
}

/** The variables that a call sees at a step. */
export interface StepVariables {
  /** @param count up to 1,000 */
  list(scope: Scope, start?: number, count?: number): Variables;
  /** State variables in transient storage. */
  transient(): Variable[];
  /**
   * The members of a variable.
   * @param reference of the variable, as `Variable.reference`, such as `state:balances`
   * @throws ExpressionError where the reference is none; Unavailable where its value is not known
   */
  children(reference: string, start?: number, count?: number): Variables;
  /** @throws ExpressionError; a value that is not known is a variable that says why */
  evaluate(expression: string): Variable;
  /** @throws ExpressionError where the expression has no truth value; Unavailable */
  condition(expression: string): { isTrue: boolean; assumption?: string | undefined };
  /** What is wrong with a name; undefined if it means something. */
  unknown(name: ReadName): ExpressionError | undefined;
  /** The arguments of the call as they were at its entry; undefined where they are not known. */
  arguments(): Variable[] | undefined;
}

/** A name in an expression, and its offset in the text. */
export interface ReadName {
  readonly name: string;
  readonly at: number;
  /** Whether it is called as a function. */
  readonly isCalled: boolean;
}

/** A part of a source file, in bytes. */
export interface SourceRange {
  /** Its id in the source map. */
  readonly file: number;
  readonly start: number;
  readonly end: number;
}

/** A condition of the source whose value makes a call fail. */
export interface FailingCondition {
  readonly kind: FailedCondition['kind'];
  readonly place: SourceRange;
  readonly text: string;
  /** What is executed from the condition on, such as the call of `require`, or the `if`. */
  readonly statement: SourceRange;
  /** The value that makes the call fail. */
  readonly isTrue: boolean;
  /** Whether the instruction is of the failure itself, and not of an operation inside its statement. */
  readonly isOwn: boolean;
  /**
   * The parts that decide about the value, in the order of evaluation.
   * @param valueOf value of a part of the condition
   */
  parts(valueOf: (text: string) => boolean): DecidingPart[];
}

/** A part of a condition that decides about its value. */
export interface DecidingPart {
  readonly text: string;
  readonly isTrue: boolean;
  readonly relation?: Comparison;
  /** Expressions whose values the answer shows. */
  readonly operands: readonly string[];
}
