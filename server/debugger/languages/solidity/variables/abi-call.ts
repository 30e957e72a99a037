import { abiData, calldataReference, calldataValue } from '../values/calldata-values';
import { encodeSequence } from '../values/encode';
import type { State } from '../values/state';
import { typeName, type SolidityType, type StructType } from '../values/types';
import type { Value } from '../values/value';

/** A parameter or result of a function; the name is empty where it has none. */
export interface NamedType {
  readonly name: string;
  readonly type: SolidityType;
}

/**
 * Call data of a function (Contract ABI specification).
 * @param values of the types of the parameters
 * @throws Unavailable for arguments whose data are not known, or are too many
 */
export function encodeCall(
  state: State,
  selector: string,
  types: readonly SolidityType[],
  values: readonly Value[],
): Uint8Array {
  return Buffer.concat([Buffer.from(selector, 'hex'), encodeSequence(state, types, values)]);
}

/**
 * What a function returns: a value, or several as members of one.
 * @param results at least one
 * @throws Unavailable where the data are no values of the types
 */
export function decodeResults(
  state: State,
  results: readonly NamedType[],
  output: Uint8Array,
): Value {
  const data = abiData(state, output);
  const [first, ...others] = results;
  if (first === undefined) throw new RangeError('it returns nothing');
  if (others.length === 0) return calldataValue(data, first.type, 0n, 0n);
  // Several results are encoded as the members of a struct are.
  const type: StructType = {
    kind: 'struct',
    name: `(${results.map((one) => typeName(one.type)).join(', ')})`,
    isTuple: true,
    members: () =>
      results.map(({ name, type: own }, index) => ({
        name: name === '' ? `[${index}]` : name,
        type: own,
        slot: 0n,
        offset: 0,
      })),
  };
  return calldataReference(data, type, 0n);
}
