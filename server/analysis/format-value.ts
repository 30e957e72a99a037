import type { ParamType } from 'ethers';
import type { AbiValue } from './abi-reader';

type JsonValue = string | boolean | JsonValue[] | { [name: string]: JsonValue };

/**
 * A decoded value as text: addresses and bytes in lower-case hex, integers in plain decimal, booleans `true` / `false`, strings raw,
 * arrays and tuples as compact JSON. Inside JSON integers are strings (they exceed its numbers), and a tuple is an object where
 * all its components have names, else an array.
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
