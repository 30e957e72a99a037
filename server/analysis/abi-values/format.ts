import type { ParamType } from 'ethers';
import type { AbiValue } from './abi-reader';

type JsonValue = string | boolean | JsonValue[] | { [name: string]: JsonValue };

/**
 * Formats a decoded value. Addresses and bytes are lower-case hex, integers decimal, booleans `true` or `false`, strings unchanged, arrays
 * and tuples compact JSON. Inside JSON, integers are strings, since they exceed JSON's numbers. A tuple is an object if all its
 * components have names, else an array.
 */
export const formatValue = (type: ParamType, value: AbiValue): string =>
  typeof value === 'object' ? JSON.stringify(toJson(type, value)) : String(value);

function toJson(type: ParamType, value: AbiValue): JsonValue {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return value;
  if (type.isArray()) return value.map((item) => toJson(type.arrayChildren, item));
  const components = type.components ?? [];
  const values = components.map((component, index) => toJson(component, value[index] ?? ''));
  const names = components.map(({ name }) => name);
  const named = names.every(Boolean) && new Set(names).size === names.length && names.length > 0;
  return named
    ? Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
    : values;
}
