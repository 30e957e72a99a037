import type { Variable, Variables } from '../../../../api/recording';
import { Frame } from '../../../../evm/interpreter/frame';
import type { Machine } from '../../../../evm/interpreter/machine';
import { evaluate, evaluateAs } from '../expressions/evaluate';
import { ExpressionError } from '../../port/expression-error';
import type { ReadName, Scope, StepVariables as VariablesAtStep } from '../../port/variables';
import { asObject } from '../expressions/parse';
import { isKnownName, unknownName } from '../expressions/read-names';
import { Assumptions, joined } from '../values/assumptions';
import { describe, describeChildren, MAX_CHILDREN, type Surroundings } from '../values/describe';
import { frameState, type State } from '../values/state';
import { BOOL } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import { orMissing, UNKNOWN_TYPE, type Value } from '../values/value';
import { contractOf, type AstNode } from './ast';
import { localsOf, placeIn, type Locals } from './locals';
import { blockFacts, messageFacts, transactionFacts } from './message';
import { StepNames } from './names';
import { pendingWrites } from './pending-writes';
import type { ProgramTree } from './program-tree';
import type { StateVariable } from './state-variables';
import type { RecordedVariables } from './recorded-variables';
import { stackValue } from './stack-values';
import type { StackVariable } from './symbolic-stack';

const NOTHING = (): undefined => undefined;
const SCOPES: ReadonlySet<string> = new Set(['state', 'locals', 'message', 'block']);

/** The variables that a call sees at a step. */
export class StepVariables implements VariablesAtStep {
  readonly #state: State;
  readonly #tree: ProgramTree | undefined;
  readonly #names: StepNames;
  readonly #around: Surroundings;
  readonly #assumptions = new Assumptions();
  #locals: Locals | undefined;

  constructor(
    private readonly recorded: RecordedVariables,
    machine: Machine,
    private readonly step: number,
    private readonly call: number,
  ) {
    const { calls, otherStorage = NOTHING, otherAccount = NOTHING } = recorded.source;
    const index = calls.calls[call]?.frame ?? 0;
    const frame = machine.frames.find((one) => one.index === index) ?? this.#closedFrame(index);
    const assumptions = this.#assumptions;
    const others = { storage: otherStorage, account: otherAccount, assumptions };
    const none = { storage: NOTHING, account: NOTHING, assumptions };
    const pending = pendingWrites(recorded, machine, step, call);
    this.#state = frameState(machine, frame, { ...others, pending });
    this.#tree = recorded.treeOf(index);
    this.#names = new StepNames(
      this.#state,
      this.#tree,
      () => this.#localVariables.variables,
      undefined,
      () => this.#contractHere(),
    );
    this.#around = {
      state: this.#state,
      assumptions,
      touched: frameState(machine, frame, none),
      previous: frameState(machine, frame, others, 'before'),
      keysOf: (place, type) => recorded.keysOf(place, type, this.#tree),
      functions: {
        internal: (word) => this.#tree?.internalFunction(word),
        external: (selector) => this.#tree?.externalFunction(selector),
      },
    };
  }

  /** A frame that is over or has not begun: of the account whose state is read. @throws RangeError */
  #closedFrame(index: number): Frame {
    const { context } = this.recorded.source.recording.frames[index] ?? {};
    if (!context) throw new RangeError(`step ${this.step} has no call frame ${index}`);
    return new Frame(index, context, 0);
  }

  #contractHere(): AstNode | undefined {
    const { calls, recording } = this.recorded.source;
    const tree = this.#tree;
    const place = tree && placeIn({ recording, calls, call: this.call, step: this.step, tree });
    return place && contractOf(place.node);
  }

  get #localVariables(): Locals {
    const { calls, recording } = this.recorded.source;
    this.#locals ??= this.#tree
      ? localsOf({
          recording,
          calls,
          call: this.call,
          step: this.step,
          tree: this.#tree,
          state: this.#state,
          stackAt: this.recorded.stackAt,
          historyOf: this.recorded.historyOf,
        })
      : { variables: [], unavailable: this.#whyUnknown };
    return this.#locals;
  }

  get #whyUnknown(): string {
    const { calls, whyUnknown } = this.recorded.source;
    return whyUnknown?.(calls.calls[this.call]?.frame ?? 0) ?? 'its source is not known';
  }

  /** @param count up to 1,000 */
  list(scope: Scope, start = 0, count = MAX_CHILDREN): Variables {
    const whole = this.#list(scope);
    const { variables, unavailable } = whole;
    return {
      variables: variables
        .slice(start, start + Math.min(count, MAX_CHILDREN))
        .map((make) => this.#assumptions.variable(make)),
      total: variables.length,
      ...(unavailable !== undefined && { unavailable }),
    };
  }

  #list(scope: Scope): { variables: (() => Variable)[]; unavailable?: string | undefined } {
    if (scope === 'locals') {
      const { variables, unavailable } = this.#localVariables;
      const last = new Map(variables.map(({ name, value }) => [name, value]));
      return {
        unavailable,
        variables: [...last].map(([name, value]) => this.#make(scope, name, name, value)),
      };
    }
    if (scope === 'state') {
      if (!this.#tree) return { variables: [], unavailable: this.#whyUnknown };
      const { variables, unavailable } = this.#tree.state;
      return {
        unavailable,
        variables: variables.map((one) => this.#stateVariable(one)),
      };
    }
    return {
      variables:
        scope === 'block' ? this.#facts(scope, 'block', blockFacts(this.#state)) : this.#message(),
    };
  }

  /** State variables in transient storage. */
  transient(): Variable[] {
    const variables = this.#tree?.state.variables.filter(({ at }) => at.in === 'transient') ?? [];
    return variables.map((one) => this.#assumptions.variable(this.#stateVariable(one)));
  }

  #stateVariable(one: StateVariable): () => Variable {
    return () => {
      const expression = this.#names.expressionOf(one);
      const path = { scope: 'state', expression };
      return describe(expression, this.#names.valueOf(one), path, this.#around);
    };
  }

  #make(scope: Scope, name: string, expression: string, value: Value): () => Variable {
    return () => describe(name, value, { scope, expression }, this.#around);
  }

  #facts(scope: Scope, owner: string, facts: Readonly<Record<string, Value>>): (() => Variable)[] {
    return Object.entries(facts).map(([name, value]) =>
      this.#make(scope, `${owner}.${name}`, `${owner}.${name}`, value),
    );
  }

  #message(): (() => Variable)[] {
    const others = ['this', 'gasleft()', 'address(this).balance'].map((expression) => () => ({
      ...this.evaluate(expression),
      name: expression,
    }));
    return [
      ...this.#facts('message', 'msg', messageFacts(this.#state)),
      ...this.#facts('message', 'tx', transactionFacts(this.#state)),
      ...others,
    ];
  }

  /**
   * The members of a variable.
   * @param reference of the variable, such as `state:balances`
   * @param count up to 1,000
   * @throws ExpressionError where the reference is none; Unavailable where its value is not known
   */
  children(reference: string, start = 0, count = MAX_CHILDREN): Variables {
    const [, scope = '', expression = ''] = /^(\w+):(.+)$/s.exec(reference) ?? [];
    if (!SCOPES.has(scope)) {
      throw new ExpressionError(
        `${JSON.stringify(reference)} is not a reference; accepted are those of variables, such as state:balances`,
        0,
      );
    }
    const names = scope === 'state' ? this.#contractNames : this.#names;
    const [value, assumption] = this.#assumptions.of(() => evaluate(expression, names));
    if (value.kind === 'missing') throw new Unavailable(value.reason);
    const found = describeChildren(value, { scope, expression }, this.#around, start, count);
    if (assumption === undefined) return found;
    const resting = <T extends { assumption?: string | undefined }>(one: T): T => ({
      ...one,
      assumption: joined(assumption, one.assumption),
    });
    return resting({ ...found, variables: found.variables.map(resting) });
  }

  /** Local variables hide those of the contract, but not in references to those. */
  get #contractNames(): StepNames {
    return new StepNames(this.#state, this.#tree, () => []);
  }

  /** @throws ExpressionError; a value that is not known is a variable that says why */
  evaluate(expression: string): Variable {
    return this.#assumptions.variable(() => {
      const value = orMissing(UNKNOWN_TYPE, () => evaluate(expression, this.#names));
      const path = { scope: 'locals', expression: asObject(expression) };
      return describe(expression, value, path, this.#around);
    });
  }

  /** What is wrong with a name; undefined if it means something. */
  unknown(one: ReadName): ExpressionError | undefined {
    return isKnownName(one, this.#names) ? undefined : unknownName(one.name, one.at, this.#names);
  }

  /** @throws ExpressionError where the expression is not a bool; Unavailable */
  condition(expression: string): { isTrue: boolean; assumption?: string | undefined } {
    const [value, assumption] = this.#assumptions.of(() =>
      evaluateAs(expression, BOOL, this.#names),
    );
    return { isTrue: value.kind === 'word' && value.word !== 0n, assumption };
  }

  /** The arguments of the call as they were at its entry; undefined where they are not known. */
  arguments(): Variable[] | undefined {
    const entered = this.recorded.enteredBy(this.call);
    if (!entered || entered.unavailable !== undefined) return undefined;
    const stack = this.recorded.stackAt(
      this.recorded.source.calls.calls[this.call]?.entryStep ?? 0,
    );
    return this.onStack(entered.parameters, stack);
  }

  /** Variables that have no place but the stack. @param stack default: that of the step */
  onStack(variables: readonly StackVariable[], stack?: readonly bigint[]): Variable[] {
    return variables.map((one) =>
      this.#assumptions.variable(() =>
        describe(one.name, stackValue(this.#state, one, stack), undefined, this.#around),
      ),
    );
  }
}
