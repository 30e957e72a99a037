import type { EncodableFunction } from '../expressions/encode-call';
import type { SolidityType } from '../values/types';
import { listOf, nameOf, parametersOf, type AstNode } from './ast';
import type { ProgramTree } from './program-tree';
import { getterOf, selectorOf } from './selectors';

/** External and public functions and getters of a name, inherited ones too, each selector once. @param owner undefined: the contract that runs */
export function encodableFunctions(
  tree: ProgramTree,
  owner: string | undefined,
  name: string,
): EncodableFunction[] {
  const contracts =
    owner === undefined
      ? [tree.contract]
      : (tree.ast?.ofType('ContractDefinition') ?? []).filter((node) => nameOf(node) === owner);
  const found = new Map<string, EncodableFunction>();
  for (const node of contracts
    .flatMap((contract) => tree.basesOf(contract))
    .flatMap((base) => listOf(base, 'nodes'))
    .filter((one) => nameOf(one) === name)) {
    const selector = selectorOf(node, tree.types);
    const parameters = parameterTypes(node, tree);
    if (selector === undefined || !parameters || found.has(selector)) continue;
    found.set(selector, { selector, parameters });
  }
  return [...found.values()];
}

/** undefined where a type is not known */
function parameterTypes(node: AstNode, { types }: ProgramTree): SolidityType[] | undefined {
  if (node.nodeType === 'VariableDeclaration') return getterOf(types?.of(node)).parameters;
  const nodes = parametersOf(node);
  const parameters = nodes.flatMap((one) => types?.of(one) ?? []);
  return parameters.length === nodes.length ? parameters : undefined;
}
