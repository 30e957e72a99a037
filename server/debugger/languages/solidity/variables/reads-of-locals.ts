import { fieldOf, listOf, nameOf, textField, type AstNode } from './ast';

const STEPPING = new Set(['++', '--']);

/**
 * Whether an instruction that copies the slot of a variable reads the variable. The compiler also copies a slot to make another value of the
 * same number, such as two zeros.
 * @param node that the instruction is compiled from
 */
export function isReadOf(node: AstNode, { name, declaration }: ReadVariable): boolean {
  switch (node.nodeType) {
    case 'Identifier':
      return isIt(node, declaration);
    case 'Assignment':
      return isIt(fieldOf(node, 'leftHandSide'), declaration);
    case 'UnaryOperation': {
      const isStep = STEPPING.has(textField(node, 'operator'));
      return isStep && isIt(fieldOf(node, 'subExpression'), declaration);
    }
    case 'YulIdentifier': {
      const [own = ''] = nameOf(node).split('.');
      return own === name;
    }
    // Before Solidity 0.6, inline assembly has no nodes of its own.
    case 'InlineAssembly':
      return true;
    default:
      return false;
  }
}

interface ReadVariable {
  readonly name: string;
  readonly declaration: AstNode;
}

/** In parentheses, too. */
function isIt(node: AstNode | undefined, declaration: AstNode): boolean {
  if (node?.nodeType === 'TupleExpression') {
    const [only, ...others] = listOf(node, 'components');
    return others.length === 0 && isIt(only, declaration);
  }
  return declaration.id !== undefined && node?.json['referencedDeclaration'] === declaration.id;
}
