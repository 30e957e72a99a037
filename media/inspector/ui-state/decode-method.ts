import { decodeAbiParameters, parseAbiItem, type AbiParameter } from 'viem';
import type { DecodedMethod, Invocation, Param } from '../../../server/api/explorer';

type JsonValue = string | boolean | readonly JsonValue[];

/** A decoded value in the service's format: plain decimals, lower-case hex, lists for arrays and tuples. */
function jsonOf(parameter: AbiParameter, value: unknown): JsonValue {
  if (Array.isArray(value)) {
    const element = { ...parameter, type: parameter.type.replace(/\[\d*\]$/, '') };
    const components = 'components' in parameter ? parameter.components : [];
    return parameter.type === 'tuple'
      ? components.map((component, at) => jsonOf(component, value[at]))
      : value.map((item) => jsonOf(element, item));
  }
  if (typeof value === 'boolean') return value;
  return parameter.type === 'string' ? String(value) : String(value).toLowerCase();
}

function textOf(parameter: AbiParameter, value: unknown): string {
  const json = jsonOf(parameter, value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/** The canonical type with expanded tuples: `(address,uint256)[]`. */
function typeText(parameter: AbiParameter): string {
  if (!('components' in parameter)) return parameter.type;
  const inner = parameter.components.map(typeText).join(',');
  return parameter.type.replace(/^tuple/, `(${inner})`);
}

/**
 * Decodes the arguments of a call with another signature, such as `transfer(address,uint256)`. Argument names and results stay unknown.
 * @throws Error if the call data does not contain such arguments
 */
export function decodeMethod(call: Invocation, signature: string): DecodedMethod {
  const item = parseAbiItem(`function ${signature}`);
  if (item.type !== 'function') throw new Error(`not a method: ${signature}`);
  const data = `0x${call.callData.replace(/^0x/, '')}` as const;
  const values = item.inputs.length === 0 ? [] : decodeAbiParameters(item.inputs, data);
  const callParams = item.inputs.map((input, at): Param => ({
    name: '',
    type: typeText(input),
    value: textOf(input, values[at]),
  }));
  return {
    name: item.name,
    signature,
    callParams,
    returnParams: [],
    constructorArguments: '',
  };
}
