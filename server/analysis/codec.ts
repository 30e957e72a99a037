import { AbiCoder, type ParamType, type Result } from 'ethers';
import type { Param } from '../api/explorer';
import type { Hex } from '../api/primitives';
import { formatValue } from './format-value';

const coder = AbiCoder.defaultAbiCoder();

/** Values of ABI-encoded data, only if encoding them again gives the same bytes: a guess that does not fit is no decode. */
export function decodeExactly(types: readonly ParamType[], data: Hex): Result | undefined {
  try {
    const values = coder.decode(types, data);
    return coder.encode(types, values) === data ? values : undefined;
  } catch {
    return undefined;
  }
}

export const toParams = (types: readonly ParamType[], values: Result): Param[] =>
  types.map((type, index) => toParam(type, formatValue(type, values[index])));

export const toParam = (type: ParamType, value: string): Param => ({
  name: type.name,
  type: canonicalType(type),
  value,
});

const canonicalTypes = new WeakMap<ParamType, string>();
function canonicalType(type: ParamType): string {
  const known = canonicalTypes.get(type);
  if (known !== undefined) return known;
  const text = type.format('sighash');
  canonicalTypes.set(type, text);
  return text;
}
