import { id } from 'ethers';
import { abiType } from '../values/abi-type';
import { UINT256, type SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { AstTypes } from './ast-types';
import { nameOf, parametersOf, textField, type AstNode } from './ast';

const SELECTOR_DIGITS = 8;

/** Selector of a function that others can call, as 8 hex digits; compilers before Solidity 0.6 do not give it. */
export function selectorOf(node: AstNode, types: AstTypes | undefined): string | undefined {
  const given = textField(node, 'functionSelector');
  if (given !== '') return given;
  const isCallable = /^(public|external)$/.test(textField(node, 'visibility'));
  if (node.nodeType !== 'FunctionDefinition' || !isCallable || nameOf(node) === '')
    return undefined;
  const parameters = parametersOf(node).map((one) => types?.of(one));
  if (parameters.includes(undefined)) return undefined;
  try {
    const written = parameters.map((type) => (type ? abiType(type) : ''));
    return id(`${nameOf(node)}(${written.join(',')})`).slice(2, 2 + SELECTOR_DIGITS);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return undefined;
  }
}

/** Parameters of the getter of a variable, and the type that is left; nested mappings and arrays take a key each. */
export function getterOf(variable: SolidityType | undefined): {
  parameters: SolidityType[];
  type: SolidityType | undefined;
} {
  let type = variable;
  const parameters: SolidityType[] = [];
  while (type?.kind === 'mapping' || type?.kind === 'array') {
    parameters.push(type.kind === 'mapping' ? type.key : UINT256);
    type = type.kind === 'mapping' ? type.value : type.base;
  }
  return { parameters, type };
}
