import type { Comparison } from '../../../../api/recording-conditions';
import type { FailingCondition } from '../../port/variables';
import { around, fieldOf, listOf, nameOf, textField, type AstNode } from './ast';
import type { ProgramTree } from './program-tree';

/** A condition in the syntax tree whose value makes a call fail. */
interface FailingNodes extends Pick<FailingCondition, 'kind' | 'isTrue'> {
  /** The call of `require`, `assert` or `revert`, or the statement `revert`. */
  readonly failure: AstNode;
  /** What is executed from the condition on: the call of `require` or `assert`, or the `if`. */
  readonly statement: AstNode;
  readonly condition: AstNode;
}

/** Syntax that a `revert` may be in below its `if`. */
const INSIDE_IF = new Set([
  'Block',
  'UncheckedBlock',
  'ExpressionStatement',
  'RevertStatement',
  'FunctionCall',
]);
const OPPOSITE = new Map<string, Comparison>([
  ...([
    ['==', '!='],
    ['!=', '=='],
    ['<', '>='],
    ['>=', '<'],
    ['>', '<='],
    ['<=', '>'],
  ] as const),
]);

/** Whether a node calls a function of the language. */
function calledBuiltIn(node: AstNode): string | undefined {
  if (node.nodeType !== 'FunctionCall') return undefined;
  const callee = fieldOf(node, 'expression');
  if (callee?.nodeType !== 'Identifier') return undefined;
  const { referencedDeclaration: id } = callee.json;
  // The compiler gives the functions of the language negative ids; before 0.5, ids as unsigned 32-bit numbers.
  const isOwn = typeof id === 'number' && id >= 0 && id < 2 ** 31;
  return isOwn ? undefined : nameOf(callee);
}

const isRevert = (node: AstNode): boolean =>
  node.nodeType === 'RevertStatement' || calledBuiltIn(node) === 'revert';
const isCheck = (node: AstNode): boolean =>
  ['require', 'assert'].includes(calledBuiltIn(node) ?? '');

/**
 * The condition that decides about a failure.
 * @param node innermost node around the instruction that failed
 * @param tree with the texts of nodes; undefined also where that of the condition is not known
 */
export function failingCondition(
  node: AstNode,
  tree: Pick<ProgramTree, 'textOf'>,
): FailingCondition | undefined {
  const found = failingNodes(node);
  const text = found && tree.textOf(found.condition);
  if (!found || text === undefined) return undefined;
  const { kind, isTrue, condition, statement, failure } = found;
  const textOf = (one: AstNode): string => tree.textOf(one) ?? '';
  return {
    kind,
    isTrue,
    text,
    place: condition,
    statement,
    isOwn: kind === 'revert' || node === failure,
    parts: (valueOf) =>
      decidingParts(condition, isTrue, (one) => valueOf(textOf(one))).map(
        ({ node: part, operands, ...rest }) => ({
          ...rest,
          text: textOf(part),
          operands: operands.map(textOf),
        }),
      ),
  };
}

function failingNodes(node: AstNode): FailingNodes | undefined {
  const failure = around(node, (one) => isRevert(one) || isCheck(one));
  if (!failure) return undefined;
  const name = calledBuiltIn(failure);
  if (name === 'require' || name === 'assert') {
    const [condition] = listOf(failure, 'arguments');
    return condition && { kind: name, failure, statement: failure, condition, isTrue: false };
  }
  let inner = failure;
  for (let outer = inner.parent; outer; inner = outer, outer = outer.parent) {
    if (outer.nodeType === 'IfStatement') {
      const condition = fieldOf(outer, 'condition');
      const isTrue = inner === fieldOf(outer, 'trueBody');
      return condition && { kind: 'revert', failure, statement: outer, condition, isTrue };
    }
    if (!INSIDE_IF.has(outer.nodeType)) return undefined;
  }
  return undefined;
}

/** A part of a condition that decides about its value. */
interface DecidingNodes {
  readonly node: AstNode;
  readonly isTrue: boolean;
  readonly relation?: Comparison;
  readonly operands: readonly AstNode[];
}

/**
 * The parts of a condition that decide about its value, in the order of evaluation.
 * @param isTrue value of the condition
 * @param valueOf value of another part of it
 */
function decidingParts(
  node: AstNode,
  isTrue: boolean,
  valueOf: (node: AstNode) => boolean,
): DecidingNodes[] {
  const inner = unwrapped(node);
  const operator = textField(inner, 'operator');
  const [left, right] = [fieldOf(inner, 'leftExpression'), fieldOf(inner, 'rightExpression')];
  const operand = fieldOf(inner, 'subExpression');
  if (inner.nodeType === 'UnaryOperation' && operator === '!' && operand) {
    return decidingParts(operand, !isTrue, valueOf);
  }
  if (inner.nodeType !== 'BinaryOperation' || !left || !right) {
    return [{ node: inner, isTrue, operands: keysOf(inner) }];
  }
  if (operator === '&&' || operator === '||') {
    // One side alone decides if it is false for `&&`, or true for `||`.
    if (isTrue === (operator === '&&')) {
      return [left, right].flatMap((side) => decidingParts(side, isTrue, valueOf));
    }
    return decidingParts(valueOf(left) === isTrue ? left : right, isTrue, valueOf);
  }
  const opposite = OPPOSITE.get(operator);
  // The operator of a user-defined value type is a function.
  const isOwn = typeof inner.json['function'] === 'number';
  if (opposite === undefined || isOwn) return [{ node: inner, isTrue, operands: [] }];
  const relation = isTrue ? (operator as Comparison) : opposite;
  return [{ node: inner, isTrue, relation, operands: [left, right] }];
}

/** Without parentheses. */
function unwrapped(node: AstNode): AstNode {
  const [only, ...others] = node.nodeType === 'TupleExpression' ? listOf(node, 'components') : [];
  return only && others.length === 0 ? unwrapped(only) : node;
}

/** Keys and indexes of an entry, arguments of a call. */
function keysOf(node: AstNode): AstNode[] {
  if (node.nodeType === 'FunctionCall') {
    return listOf(node, 'arguments').filter(({ nodeType }) => nodeType !== 'Literal');
  }
  if (node.nodeType !== 'IndexAccess') return [];
  const [base, key] = [fieldOf(node, 'baseExpression'), fieldOf(node, 'indexExpression')];
  return [...(base ? keysOf(base) : []), ...(key && key.nodeType !== 'Literal' ? [key] : [])];
}
