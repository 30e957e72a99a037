import { evaluate, evaluateAs } from '../expressions/evaluate';
import { ExpressionError } from '../../port/expression-error';
import type { CallableFunction, Names } from '../expressions/names';
import type { GasBudget } from '../../../../evm/interpreter/call-outside-recording';
import { BOOL, isReference, type SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from '../values/value';
import { isBefore } from '../../../recording/program';
import { fieldOf, listOf, nameOf, parametersOf, textField, type AstNode } from './ast';
import type { NamedValue } from './locals';
import type { ProgramTree } from './program-tree';

/** Gas that a statement takes from the budget of an expression, so that it executes some thousands at most. */
const STATEMENT_GAS = 4_000;
/** Functions that call one another. */
const MAX_DEPTH = 16;

/** Makes the names that the body of a function sees. */
export type NamesWith = (locals: () => readonly NamedValue[], depth: number) => Names;

/**
 * A function as an expression calls it: its statements are evaluated, as the code may have it inlined or not at all. It changes local
 * variables of value types alone.
 * @param depth of the functions that led to it
 * @returns undefined where it may change the state, or a type is not known
 */
export function interpretedFunction(
  node: AstNode,
  tree: ProgramTree,
  namesWith: NamesWith,
  depth: number,
): CallableFunction | undefined {
  if (!/^(pure|view)$/.test(textField(node, 'stateMutability'))) return undefined;
  const nodes = parametersOf(node);
  const parameters = nodes.flatMap((one) => tree.types?.of(one) ?? []);
  if (parameters.length < nodes.length) return undefined;
  return {
    parameters,
    parameterNames: nodes.map(nameOf),
    run: (values, budget) => {
      if (depth >= MAX_DEPTH)
        throw new Unavailable(`more than ${MAX_DEPTH} functions call one another`);
      const body = new FunctionBody(node, tree, budget, (locals) => namesWith(locals, depth + 1));
      return body.run(values);
    },
  };
}

/** What a statement leads to; undefined: the next one. */
type Outcome =
  { readonly kind: 'return'; readonly value: Value | undefined } | 'break' | 'continue';

interface Local {
  readonly name: string;
  readonly type: SolidityType;
  value: Value;
}

class FunctionBody {
  /** Variables in scope, outer ones first. */
  #locals: Local[] = [];
  /** Whether arithmetic wraps. */
  #wraps: boolean;
  readonly #names: Names;

  constructor(
    private readonly node: AstNode,
    private readonly tree: ProgramTree,
    private readonly budget: GasBudget,
    namesWith: (locals: () => readonly NamedValue[]) => Names,
  ) {
    this.#wraps = isBefore(tree.facts, 8);
    this.#names = namesWith(() => this.#locals);
  }

  /** @throws Unavailable where it reverts, or has statements that are not evaluated */
  run(values: readonly Value[]): Value {
    const body = fieldOf(this.node, 'body');
    const [result, ...others] = parametersOf(this.node, 'returnParameters');
    if (!body || listOf(this.node, 'modifiers').length > 0)
      this.#refuse('it has modifiers or no body');
    if (!result || others.length > 0) this.#refuse('it does not return one value');
    for (const [index, parameter] of parametersOf(this.node).entries()) {
      this.#declare(parameter, values[index]);
    }
    const returned = this.#declare(result, undefined);
    try {
      const outcome = this.#statement(body);
      const isReturned = typeof outcome === 'object' && outcome.value !== undefined;
      return isReturned ? outcome.value : returned.value;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return this.#refuse(error.message);
    }
  }

  #refuse(reason: string): never {
    throw new Unavailable(`${nameOf(this.node) || 'the function'} is not evaluated: ${reason}`);
  }

  #declare(node: AstNode, given: Value | undefined): Local {
    const type =
      this.tree.types?.of(node) ?? this.#refuse(`the type of ${nameOf(node)} is not known`);
    const value = given ?? zeroOf(type);
    const local = { name: nameOf(node), type, value };
    this.#locals.push(local);
    return local;
  }

  #text(node: AstNode | undefined): string {
    return (node && this.tree.textOf(node)) ?? this.#refuse('its source text is not known');
  }

  #as(node: AstNode | undefined, type: SolidityType): Value {
    return evaluateAs(this.#text(node), type, this.#names, this.#mode);
  }

  get #mode(): { wraps: boolean; budget: GasBudget } {
    return { wraps: this.#wraps, budget: this.budget };
  }

  #isTrue(node: AstNode | undefined): boolean {
    const value = this.#as(node, BOOL);
    return value.kind === 'word' && value.word !== 0n;
  }

  #statement(node: AstNode): Outcome | undefined {
    this.budget.gas -= STATEMENT_GAS;
    if (this.budget.gas < 0) this.#refuse('it executes too many statements');
    switch (node.nodeType) {
      case 'Block':
        return this.#block(listOf(node, 'statements'));
      case 'UncheckedBlock': {
        const before = this.#wraps;
        this.#wraps = true;
        const outcome = this.#block(listOf(node, 'statements'));
        this.#wraps = before;
        return outcome;
      }
      case 'Return': {
        const [result] = parametersOf(this.node, 'returnParameters');
        const type = result && this.tree.types?.of(result);
        const expression = fieldOf(node, 'expression');
        const value = expression && type ? this.#as(expression, type) : undefined;
        return { kind: 'return', value };
      }
      case 'IfStatement': {
        const branch = this.#isTrue(fieldOf(node, 'condition')) ? 'trueBody' : 'falseBody';
        const body = fieldOf(node, branch);
        return body && this.#statement(body);
      }
      case 'WhileStatement':
      case 'ForStatement':
        return this.#loop(node);
      case 'Break':
        return 'break';
      case 'Continue':
        return 'continue';
      case 'VariableDeclarationStatement': {
        const [declaration, ...others] = listOf(node, 'declarations');
        if (!declaration || others.length > 0)
          return this.#refuse('it declares several variables at once');
        const value = fieldOf(node, 'initialValue');
        const type = this.tree.types?.of(declaration);
        this.#declare(declaration, value && type ? this.#as(value, type) : undefined);
        return undefined;
      }
      case 'RevertStatement':
        throw new Unavailable(`${nameOf(this.node)} reverts`);
      case 'ExpressionStatement':
        this.#expression(fieldOf(node, 'expression'));
        return undefined;
      default:
        return this.#refuse(`it has a statement of the kind ${node.nodeType}`);
    }
  }

  #block(statements: readonly AstNode[]): Outcome | undefined {
    const outer = this.#locals.length;
    let outcome: Outcome | undefined;
    for (const one of statements) {
      outcome = this.#statement(one);
      if (outcome) break;
    }
    this.#locals.length = outer;
    return outcome;
  }

  #loop(node: AstNode): Outcome | undefined {
    const outer = this.#locals.length;
    const start = fieldOf(node, 'initializationExpression');
    if (start) this.#statement(start);
    const [condition, next, body] = ['condition', 'loopExpression', 'body'].map((field) =>
      fieldOf(node, field),
    );
    let outcome: Outcome | undefined;
    while (body && (!condition || this.#isTrue(condition))) {
      outcome = this.#statement(body);
      if (outcome === 'break' || typeof outcome === 'object') break;
      if (next) this.#statement(next);
    }
    this.#locals.length = outer;
    return typeof outcome === 'object' ? outcome : undefined;
  }

  #expression(node: AstNode | undefined): void {
    if (node?.nodeType === 'Assignment') {
      const local = this.#local(fieldOf(node, 'leftHandSide'));
      const right = fieldOf(node, 'rightHandSide');
      const operator = textField(node, 'operator').slice(0, -1);
      local.value =
        operator === ''
          ? this.#as(right, local.type)
          : this.#computed(`${local.name} ${operator} (${this.#text(right)})`, local.type);
      return;
    }
    const operator = node ? textField(node, 'operator') : '';
    if (node?.nodeType === 'UnaryOperation' && /^(\+\+|--)$/.test(operator)) {
      const local = this.#local(fieldOf(node, 'subExpression'));
      local.value = this.#computed(`${local.name} ${operator.charAt(0)} 1`, local.type);
      return;
    }
    const callee = node && fieldOf(node, 'expression');
    const name = callee?.nodeType === 'Identifier' ? nameOf(callee) : '';
    if (node && (name === 'require' || name === 'assert')) {
      if (!this.#isTrue(listOf(node, 'arguments')[0]))
        throw new Unavailable(`${nameOf(this.node)} reverts`);
      return;
    }
    if (name === 'revert') throw new Unavailable(`${nameOf(this.node)} reverts`);
    evaluate(this.#text(node), this.#names, this.#mode);
  }

  #computed(text: string, type: SolidityType): Value {
    return evaluateAs(text, type, this.#names, this.#mode);
  }

  #local(node: AstNode | undefined): Local {
    const name = node?.nodeType === 'Identifier' ? nameOf(node) : '';
    const local = this.#locals.findLast((one) => one.name === name);
    if (!local || isReference(local.type))
      return this.#refuse('it changes more than local variables');
    return local;
  }
}

const zeroOf = (type: SolidityType): Value =>
  isReference(type)
    ? { kind: 'missing', type, reason: 'it has no value yet' }
    : { kind: 'word', type, word: 0n };
