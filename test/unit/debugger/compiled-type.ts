import { compileAll } from './solidity';

/**
 * The type of an expression, by the compiler; undefined where it does not accept it.
 * @param contractWith the text of a contract `Shop` with a statement
 */
export function typeOf(
  expression: string,
  contractWith: (statement: string) => string,
): string | undefined {
  const text = contractWith(`${expression};`);
  let contracts: ReturnType<typeof compileAll>;
  try {
    contracts = compileAll('Typed.sol', text);
  } catch {
    return undefined;
  }
  const [tree] = contracts['Shop']!.deployed.program.trees.values();
  const found = statementsOf(tree).find(({ src }) => {
    const [start = 0, length = 0] = src.split(':').map(Number);
    return text.slice(start, start + length) === expression;
  });
  const type = found?.typeDescriptions.typeString;
  return type?.replaceAll(/ (memory|storage ref|storage pointer)|struct |enum |contract /g, '');
}

interface TypedNode {
  src: string;
  typeDescriptions: { typeString: string };
}

function statementsOf(node: unknown): TypedNode[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(statementsOf);
  const isStatement = 'nodeType' in node && node.nodeType === 'ExpressionStatement';
  return isStatement && 'expression' in node ? [node.expression as TypedNode, ...inner] : inner;
}
