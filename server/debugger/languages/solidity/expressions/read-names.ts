import { BUILT_IN_FUNCTIONS } from './built-in-functions';
import { ExpressionError } from '../../port/expression-error';
import type { ReadName } from '../../port/variables';
import type { Names } from './names';
import { LITERALS } from './operands';
import { typeNamed } from './conversions';
import { ENCODE_CALL } from './encode-call';
import { calleeName, type Expression } from './parse';

const SUGGESTED = 12;
/** What is evaluated without a declaration. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'gasleft',
  'payable',
  'type',
  ...BUILT_IN_FUNCTIONS,
]);

/** The names that every evaluation of an expression needs. What an earlier part may skip is left out: the right side of `&&`, a branch of `?:`. */
export function namesRead(expression: Expression): ReadName[] {
  switch (expression.kind) {
    case 'number':
    case 'string':
    case 'hex':
      return [];
    case 'name':
      return [{ name: expression.name, at: expression.at, isCalled: false }];
    case 'member': {
      // `f.selector` names a function, which is no value.
      const isSelector = expression.name === 'selector' && expression.object.kind === 'name';
      return isSelector ? [] : namesRead(expression.object);
    }
    case 'index':
      return [...namesRead(expression.object), ...namesRead(expression.index)];
    case 'slice': {
      const { object, start, end } = expression;
      return [object, ...(start ? [start] : []), ...(end ? [end] : [])].flatMap(namesRead);
    }
    case 'list':
    case 'tuple':
      return expression.items.flatMap(namesRead);
    case 'call': {
      const [called, ...others] = expression.given;
      // A name alone is that of a function, which is no value.
      if (calleeName(expression.callee) === ENCODE_CALL && called?.kind === 'name') {
        return others.flatMap(namesRead);
      }
      return [...calledNames(expression.callee), ...expression.given.flatMap(namesRead)];
    }
    case 'unary':
      return namesRead(expression.operand);
    case 'binary': {
      const { operator, left, right } = expression;
      const isSkipped = operator === '&&' || operator === '||';
      return isSkipped ? namesRead(left) : [...namesRead(left), ...namesRead(right)];
    }
    case 'conditional':
      return namesRead(expression.test);
  }
}

const calledNames = (callee: Expression): ReadName[] =>
  BUILT_IN_FUNCTIONS.has(calleeName(callee)) || calleeName(callee) === ENCODE_CALL
    ? []
    : callee.kind === 'name'
      ? [{ name: callee.name, at: callee.at, isCalled: true }]
      : namesRead(callee);

/** Whether a name means anything. A function that cannot be called has a reason of its own, and a value that is not known has a name. */
export function isKnownName({ name, at, isCalled }: ReadName, names: Names): boolean {
  if (LITERALS.has(name) || typeNamed(name) || names.resolve(name)) return true;
  if (!isCalled) return false;
  if (BUILT_IN.has(name)) return true;
  try {
    return names.functions(name, undefined, at).length > 0;
  } catch (error) {
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}

export function unknownName(name: string, at: number, names: Names): ExpressionError {
  const known = names.known();
  const shown = known.slice(0, SUGGESTED).join(', ');
  const others = known.length > SUGGESTED ? ' and others' : '';
  return new ExpressionError(`${name} is not known here; known are ${shown}${others}`, at);
}
