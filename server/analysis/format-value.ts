import type { ParamType } from 'ethers';

type JsonValue = string | boolean | JsonValue[] | { [name: string]: JsonValue };

/**
 * A decoded value as text: addresses and bytes in lower-case hex, integers in plain decimal, booleans `true` / `false`, strings raw,
 * arrays and tuples as compact JSON. Inside JSON integers are strings (they exceed its numbers), and a tuple is an object where
 * all its components have names, else an array.
 */
export function formatValue(type: ParamType, value: unknown): string {
  const json = toJson(type, value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

function toJson(type: ParamType, value: unknown): JsonValue {
  if (type.isArray()) {
    return Array.from(value as ArrayLike<unknown>, (item) => toJson(type.arrayChildren, item));
  }
  if (type.isTuple()) {
    const values = type.components.map((component, index) =>
      toJson(component, (value as ArrayLike<unknown>)[index]),
    );
    const names = type.components.map(({ name }) => name);
    const named = names.every(Boolean) && new Set(names).size === names.length && names.length > 0;
    return named
      ? Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
      : values;
  }
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value.toString();
  if (type.type === 'string') return value as string;
  return String(value).toLowerCase();
}
