import { invalidParams } from './json-rpc';

/** A JSON object that a client sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** Lists are no objects: an engine reads them as the members in their order. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws RpcError -32602 where the value is not an object */
export function fieldsOf(name: string, value: unknown): Fields {
  if (isFields(value)) return value;
  throw invalidParams(name, value, 'an object');
}

export const isMissing = (value: unknown): value is undefined | null =>
  value === undefined || value === null;

/**
 * A number as JSON-RPC writes it, in hex; JSON numbers are accepted as well.
 * @throws RpcError -32602 where it is another form, or has more bits
 */
export function quantityOf(name: string, value: unknown, bits = 256): bigint {
  const isNumber =
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value));
  const number = isNumber ? BigInt(value) : -1n;
  if (number >= 0n && number < 1n << BigInt(bits)) return number;
  throw invalidParams(name, value, `a quantity as hex, below 2^${bits}`);
}
