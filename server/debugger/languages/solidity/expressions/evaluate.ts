import type { GasBudget } from '../../../../evm/interpreter/call-outside-recording';
import type { State } from '../values/state';
import { ADDRESS, BYTES, isReference, STRING, type SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from '../values/value';
import { wordFault } from '../values/words';
import { BUILT_IN_FUNCTIONS, bytesGas, callBuiltIn } from './built-in-functions';
import { arrayLiteral, structValue, type Part } from './composites';
import { convert, cutLiteral, isArgument, refusedAs, typeNamed } from './conversions';
import { ExpressionError } from '../../port/expression-error';
import { FunctionCallError } from './refused-expressions';
import { argumentsFault, takes } from './function-arguments';
import { numberLiteral } from './literals';
import { memberOf } from './members';
import type { Mode, Names } from './names';
import { callToEncode, encodableFunction, ENCODE_CALL, encodedCall } from './encode-call';
import { elementAt, sliceOf, wholeNumber } from './elements';
import { membersOfType, wrapped } from './members-of-types';
import { bool, LITERALS, operandName, userDefined, type Operand } from './operands';
import { binary, unary } from './operators';
import { calleeName, parseExpression, type Expression } from './parse';
import { NamedFunctions } from './named-functions';
import { unknownName } from './read-names';

/** Functions of contracts that an expression calls, and their gas together: they may take long. */
const MAX_CALLS = 16;
const CALL_GAS = 10_000_000;

/**
 * Evaluates an expression of Solidity: variables, `msg`, `block`, `tx`, members, indexes, arithmetic, comparison, logic, conversions.
 * @throws ExpressionError with the position; Unavailable where a value is not known
 */
export function evaluate(text: string, names: Names, mode?: Mode): Value {
  const expression = parseExpression(text);
  return new Evaluation(names, mode).value(expression);
}

/** Evaluates to a value of a type, as an assignment does. @throws ExpressionError; Unavailable */
export function evaluateAs(text: string, type: SolidityType, names: Names, mode?: Mode): Value {
  return new Evaluation(names, mode).valueAs(parseExpression(text), type);
}

class Evaluation {
  #calls = 0;
  readonly #budget: GasBudget;
  readonly #wraps: boolean;
  readonly #functions: NamedFunctions;

  constructor(
    private readonly names: Names,
    { wraps, budget }: Mode = { wraps: false, budget: { gas: CALL_GAS } },
  ) {
    this.#budget = budget;
    this.#wraps = wraps;
    this.#functions = new NamedFunctions(names, {
      operand: (expression) => this.#operand(expression),
      known: (expression) => this.#known(expression),
    });
  }

  get #state(): State {
    return this.names.state;
  }

  /** A value; numbers without a type have the type that Solidity gives them at last. */
  value(expression: Expression): Value {
    const operand = this.#operand(expression);
    if (operand.kind === 'literal') {
      const type = { kind: operand.numerator < 0n ? 'int' : 'uint', bits: 256 } as const;
      return convert(this.#state, operand, type, expression.at, 'implicit');
    }
    if (operand.kind === 'type' || operand.kind === 'namespace') {
      const members =
        operand.kind === 'namespace'
          ? `; accepted is one of its members: ${operand.members.join(', ')}`
          : '';
      throw new ExpressionError(`${operandName(operand)} is not a value${members}`, expression.at);
    }
    return operand;
  }

  valueAs(expression: Expression, type: SolidityType): Value {
    return convert(this.#state, this.#known(expression), type, expression.at, 'implicit');
  }

  #operand(expression: Expression): Operand {
    const { at } = expression;
    switch (expression.kind) {
      case 'number':
        return numberLiteral(expression);
      case 'string':
      case 'hex': {
        const type = expression.kind === 'hex' ? BYTES : STRING;
        return {
          kind: 'data',
          type,
          data: Buffer.from(expression.digits, 'hex'),
          isLiteral: true,
        };
      }
      case 'name':
        return this.#name(expression.name, at);
      case 'member':
        return this.#member(expression);
      case 'index':
        return this.#index(expression);
      case 'slice':
        return this.#slice(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return arrayLiteral(this.names, expression, this.#parts(expression.items));
      case 'tuple':
        throw new ExpressionError(
          `several values in parentheses are not accepted here; accepted are they as arguments of ${ENCODE_CALL}`,
          at,
        );
      case 'unary':
        return this.#unary(expression);
      case 'binary':
        return this.#binary(expression);
      case 'conditional':
        return this.#truth(expression.test)
          ? this.#operand(expression.yes)
          : this.#operand(expression.no);
    }
  }

  /** @throws Unavailable for a missing value, or an invalid one */
  #known(expression: Expression): Operand {
    const operand = this.#operand(expression);
    if (operand.kind === 'missing') throw new Unavailable(operand.reason);
    const fault = operand.kind === 'word' ? wordFault(operand.type, operand.word) : undefined;
    if (fault !== undefined) throw new Unavailable(fault);
    return operand;
  }

  #truth(expression: Expression): boolean {
    const operand = this.#known(expression);
    if (operand.kind === 'word' && operand.type.kind === 'bool') return operand.word !== 0n;
    throw new ExpressionError(`${operandName(operand)} is not a bool`, expression.at);
  }

  #binary({ operator, left, right, at }: Extract<Expression, { kind: 'binary' }>): Operand {
    if (operator === '&&') return bool(this.#truth(left) && this.#truth(right));
    if (operator === '||') return bool(this.#truth(left) || this.#truth(right));
    const operands = [this.#known(left), this.#known(right)] as const;
    return (
      this.#ownOperator(operator, operands, at) ??
      binary(this.#state, operator, ...operands, at, this.#wraps)
    );
  }

  #unary({ operator, operand, at }: Extract<Expression, { kind: 'unary' }>): Operand {
    const known = this.#known(operand);
    return this.#ownOperator(operator, [known], at) ?? unary(operator, known, at, this.#wraps);
  }

  /** Values of user-defined value types have those operators alone that `using {…} for … global` gives to their type. */
  #ownOperator(operator: string, operands: readonly Operand[], at: number): Value | undefined {
    const type = operands.map(userDefined).find((one) => one !== undefined);
    if (!type) return undefined;
    const found = this.names.operator(type, operator, operands.length);
    if (!found) {
      throw new ExpressionError(
        `"${operator}" is not defined for ${type.name}; accepted are its own operators and ${type.name}.unwrap(…)`,
        at,
      );
    }
    this.#countCall(at);
    const values = found.parameters.map((one, index) => this.#argument(operands[index], one, at));
    return found.run(values, this.#budget);
  }

  #countCall(at: number): void {
    if (++this.#calls <= MAX_CALLS) return;
    throw new ExpressionError(`more than ${MAX_CALLS} calls of functions are not accepted`, at);
  }

  #name(name: string, at: number): Operand {
    const found = LITERALS.get(name) ?? this.names.resolve(name);
    if (found) return found;
    const type = typeNamed(name);
    if (type) return type;
    throw unknownName(name, at, this.names);
  }

  #member({ object, name, at }: Extract<Expression, { kind: 'member' }>): Operand {
    const selector = name === 'selector' ? this.#functions.selector(object) : undefined;
    if (selector) return selector;
    const operand = this.#known(object);
    const found = this.names.member?.(operand, name) ?? memberOf(this.#state, operand, name);
    if (found) return found;
    const accepted =
      operand.kind === 'namespace' ? `; accepted are ${operand.members.join(', ')}` : '';
    throw new ExpressionError(`${operandName(operand)} has no member ${name}${accepted}`, at + 1);
  }

  #index({ object, index, at }: Extract<Expression, { kind: 'index' }>): Operand {
    const operand = this.#known(object);
    return elementAt(this.#state, operand, { key: this.#known(index), expression: index, at });
  }

  #slice({ object, start, end, at }: Extract<Expression, { kind: 'slice' }>): Value {
    const operand = this.#known(object);
    const to = end && wholeNumber(this.#known(end), end.at);
    const from = start && wholeNumber(this.#known(start), start.at);
    return sliceOf(this.#state, operand, { from, to, at });
  }

  #parts(expressions: readonly Expression[]): Part[] {
    return expressions.map((expression) => ({ operand: this.#known(expression), expression }));
  }

  #call(expression: Extract<Expression, { kind: 'call' }>): Operand {
    const { callee, given, names, at } = expression;
    const name = calleeName(callee);
    if (name === 'gasleft' && given.length === 0) {
      return this.names.resolve('gasleft') ?? this.#name(name, callee.at);
    }
    const [argument, ...others] = given;
    const one = (): Expression => {
      if (names) throw new ExpressionError(`${name} takes no arguments by name`, at);
      if (argument && others.length === 0) return argument;
      throw new ExpressionError(`${name} takes one argument, not ${given.length}`, at);
    };
    if (BUILT_IN_FUNCTIONS.has(name)) {
      if (names) throw new ExpressionError(`${name} takes no arguments by name`, at);
      const values = given.map((item) => ({ operand: this.#known(item), at: item.at }));
      for (const { operand } of values) this.#chargeBytes(operand);
      const result = callBuiltIn(this.#state, name, values, at);
      if (result) this.#chargeBytes(result);
      if (result) return result;
    }
    if (name === ENCODE_CALL) return this.#encodedCall(expression);
    if (name === 'type') {
      const type = one();
      return membersOfType(this.names, this.#operand(type), type.at);
    }
    if (name === 'payable')
      return convert(this.#state, this.#known(one()), ADDRESS, at, 'explicit');
    const isWrap = callee.kind === 'member' && /^(un)?wrap$/.test(callee.name);
    const target = this.#functions.typeOrValue(isWrap ? callee.object : callee);
    if (target?.kind === 'type') {
      if (target.type.kind === 'struct') {
        return structValue(this.names, target.type, expression, this.#parts(given));
      }
      return isWrap
        ? wrapped(this.#state, target.type, callee.name, this.#known(one()), at)
        : this.#converted(this.#known(one()), target.type, at);
    }
    return this.#run(expression);
  }

  #encodedCall(expression: Extract<Expression, { kind: 'call' }>): Value {
    const call = callToEncode(expression);
    const called = encodableFunction(this.#functions.encodable(call.called), call);
    const values = call.items.map((item, index) => {
      const operand = this.#known(item);
      this.#chargeBytes(operand);
      return this.#argument(operand, called.parameters[index] ?? BYTES, item.at);
    });
    const result = encodedCall(this.#state, called, values);
    this.#chargeBytes(result);
    return result;
  }

  /** A byte that is hashed or encoded takes a unit of gas: loops of functions cannot do so without end. */
  #chargeBytes(operand: Operand): void {
    this.#budget.gas -= bytesGas(operand);
    if (this.#budget.gas < 0) throw new Unavailable('it hashes or encodes too many bytes');
  }

  #converted(operand: Operand, type: SolidityType, at: number): Value {
    const isCut = operand.kind === 'literal' && this.names.cutsLiterals && !isReference(type);
    const cut = isCut ? cutLiteral(operand, type) : undefined;
    return cut ?? convert(this.#state, operand, type, at, 'explicit');
  }

  #run({ callee, given: written, names }: Extract<Expression, { kind: 'call' }>): Value {
    const name = calleeName(callee);
    if (callee.kind !== 'name' && callee.kind !== 'member') {
      throw new FunctionCallError(name, callee.at);
    }
    const { found, given } = this.#functions.called(callee, written);
    if (found.length === 0) throw new FunctionCallError(name, callee.at);
    const fitting = found.filter((one) => takes(one, given.length, names));
    let failure = new ExpressionError(argumentsFault(name, found, given.length, names), callee.at);
    if (fitting.length > 0) this.#countCall(callee.at);
    // Once for all functions of the name: arguments may call functions, too.
    const operands = fitting.length > 0 ? given.map((one) => this.#known(one)) : [];
    for (const { parameters, parameterNames, run } of fitting) {
      try {
        const values = parameters.map((type, index) => {
          const at = names ? names.indexOf(parameterNames[index] ?? '') : index;
          return this.#argument(operands[at], type, given[at]?.at ?? callee.at);
        });
        return run(values, this.#budget);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  #argument(operand: Operand | undefined, type: SolidityType, at: number): Value {
    if (!operand) throw new ExpressionError('there is no such argument', at);
    if (isArgument(operand, type, this.names.derives)) {
      return convert(this.#state, operand, type, at, 'implicit');
    }
    throw refusedAs(operand, type, at);
  }
}
