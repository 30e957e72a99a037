import { invalidParams } from './json-rpc';

/** A JSON object from a client. */
export type Fields = Readonly<Record<string, unknown>>;

/** Excludes arrays: an engine reads an array as the object's fields in order. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws RpcError -32602 if the value is not an object */
export function fieldsOf(name: string, value: unknown): Fields {
  if (isFields(value)) return value;
  throw invalidParams(name, value, 'an object');
}

export const isMissing = (value: unknown): value is undefined | null =>
  value === undefined || value === null;

/**
 * A JSON-RPC quantity in hex; JSON numbers are accepted as well.
 * @throws RpcError -32602 if the value has another form or more bits
 */
export function quantityOf(name: string, value: unknown, bits = 256): bigint {
  const isNumber =
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value));
  const number = isNumber ? BigInt(value) : -1n;
  if (number >= 0n && number < 1n << BigInt(bits)) return number;
  throw invalidParams(name, value, `a quantity as hex, below 2^${bits}`);
}
