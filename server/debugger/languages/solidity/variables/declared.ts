import { fieldOf, listOf, nameOf, parametersOf, textField, type Ast, type AstNode } from './ast';

/** Arguments, results and local variables of a function that are in scope at a place, by the source alone. */
export function declaredAt(callable: AstNode, place: AstNode): AstNode[] {
  const locals: AstNode[] = [];
  collect(callable, (node) => {
    const { parent } = node;
    const isLocal =
      node.nodeType === 'VariableDeclaration' &&
      parent?.nodeType === 'VariableDeclarationStatement';
    if (isLocal && parent.end <= place.start && encloses(parent.parent, place)) locals.push(node);
    if (isOfClause(node) && encloses(blockOf(node), place)) locals.push(node);
  });
  const named = [
    ...parametersOf(callable),
    ...parametersOf(callable, 'returnParameters'),
    ...locals,
  ];
  return named.filter((node) => nameOf(node) !== '');
}

/** Clauses of `try` have parameters. */
const isOfClause = ({ nodeType, parent }: AstNode): boolean =>
  nodeType === 'VariableDeclaration' && parent?.parent?.nodeType === 'TryCatchClause';

const blockOf = ({ parent }: AstNode): AstNode | undefined =>
  parent?.parent && fieldOf(parent.parent, 'block');

const encloses = (outer: AstNode | undefined, { start, end }: AstNode): boolean =>
  outer !== undefined && outer.start <= start && outer.end >= end;

function collect(node: AstNode, visit: (node: AstNode) => void): void {
  visit(node);
  for (const child of node.children) collect(child, visit);
}

const CHANGING = new Set(['++', '--', 'delete']);

/** Whether a function assigns one of its arguments. Inline assembly that mentions it may. */
export function isAssigned(ast: Ast, callable: AstNode, parameter: AstNode): boolean {
  let found = false;
  const isIt = (node: AstNode | undefined): boolean =>
    node !== undefined &&
    (node.nodeType === 'TupleExpression'
      ? listOf(node, 'components').some(isIt)
      : node.nodeType === 'Identifier' && ast.referenced(node) === parameter);
  collect(callable, (node) => {
    if (node.nodeType === 'Assignment') found ||= isIt(fieldOf(node, 'leftHandSide'));
    if (node.nodeType === 'UnaryOperation' && CHANGING.has(textField(node, 'operator'))) {
      found ||= isIt(fieldOf(node, 'subExpression'));
    }
    if (node.nodeType === 'InlineAssembly') {
      const references = JSON.stringify(node.json['externalReferences'] ?? []);
      found ||= new RegExp(`"declaration":${parameter.id}\\b`).test(references);
    }
  });
  return found;
}
