import { FunctionFragment, id } from 'ethers';
import type { DecodedMethod, Param } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import { decodeExactly, signatureOf, toParams } from '../abi-values/codec';
import { argumentsOf, SELECTOR_LENGTH, selectorOf } from './call';

/** Of Hardhat's and Foundry's `console.log`: "console.log" as an address. */
export const CONSOLE: Address = '0x000000000000000000636f6e736f6c652e6c6f67';

const TYPES = ['uint256', 'string', 'bool', 'address'] as const;
const MOST_ARGUMENTS = 4;
const LONGEST_BYTES = 32;

let functions: ReadonlyMap<Hex, FunctionFragment> | undefined;

/**
 * A call of `console.log` or its siblings, such as `logBytes32`.
 * @param input call data of a call of `CONSOLE`
 * @returns null for other functions and malformed arguments
 */
export function decodeConsole(input: Hex): DecodedMethod | null {
  const selector = selectorOf(input);
  const fragment = selector && (functions ??= allFunctions()).get(selector);
  const values = fragment && decodeExactly(fragment.inputs, argumentsOf(input));
  if (!values) return null;
  return {
    name: fragment.name,
    signature: signatureOf(fragment),
    callParams: toParams(fragment.inputs, values),
    returnParams: [],
    constructorArguments: '',
    source: 'built-in',
  };
}

/**
 * What a call of `console.log` prints: `%s`, `%d`, `%i`, `%o` and `%x` of a first string are filled in, as by Hardhat and Foundry.
 * @param input call data of a call of `CONSOLE`
 * @returns undefined for other functions and malformed arguments
 */
export function consoleText(input: Hex): string | undefined {
  const params = decodeConsole(input)?.callParams;
  if (!params) return undefined;
  const [first, ...rest] = params;
  if (first?.type !== 'string') return params.map(textOf).join(' ');
  let next = 0;
  const filled = textOf(first).replace(/%[%sdiox]/g, (place) => {
    if (place === '%%') return '%';
    const param = rest[next];
    if (param === undefined) return place;
    next++;
    return place === '%x' && param.type === 'uint256' ? hexOf(param) : textOf(param);
  });
  return [filled, ...rest.slice(next).map(textOf)].join(' ');
}

const textOf = ({ value }: Param): string => value;
const hexOf = ({ value }: Param): string => `0x${BigInt(value).toString(16)}`;

/** By selector. Early versions of the libraries wrote `uint` and `int` in the names that they hashed. */
function allFunctions(): ReadonlyMap<Hex, FunctionFragment> {
  const all = new Map<Hex, FunctionFragment>();
  const add = (name: string, types: readonly string[]): void => {
    const fragment = FunctionFragment.from(`function ${name}(${types.join()})`);
    const early = types.map((type) => type.replace('int256', 'int'));
    for (const hashed of [types, early]) {
      all.set(id(`${name}(${hashed.join()})`).slice(0, SELECTOR_LENGTH) as Hex, fragment);
    }
  };
  let lists: string[][] = [[]];
  for (let count = 0; count <= MOST_ARGUMENTS; count++) {
    for (const types of lists) add('log', types);
    lists = lists.flatMap((types) => TYPES.map((type) => types.concat(type)));
  }
  add('log', ['int256']);
  add('log', ['string', 'int256']);
  for (const type of ['int256', 'bytes', ...TYPES]) add(`log${titleOf(type)}`, [type]);
  for (let size = 1; size <= LONGEST_BYTES; size++) add(`logBytes${size}`, [`bytes${size}`]);
  return all;
}

/** `Uint` of `uint256`. */
const titleOf = (type: string): string =>
  `${type.slice(0, 1).toUpperCase()}${type.slice(1).replace('256', '')}`;
