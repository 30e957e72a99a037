import { dataOf } from '../expressions/conversions';
import { toBytes32 } from '../evm/word';
import { elementOf, lengthOf, memberOf } from '../values/access';
import { abiData, calldataReference, calldataValue, isDynamic } from '../values/calldata-values';
import type { State } from '../values/state';
import { isReference, typeName, type SolidityType, type StructType } from '../values/types';
import { Unavailable, type Value } from '../values/value';
import { toAbiWord } from '../values/words';

const WORD = 32;
/** Elements and members of all arguments of a call. */
const MAX_ELEMENTS = 4_096;

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
  const encoded = new Encoder(state).sequence(types, (index) => values[index]);
  return Buffer.concat([Buffer.from(selector, 'hex'), encoded]);
}

class Encoder {
  #left = MAX_ELEMENTS;

  constructor(private readonly state: State) {}

  /** Heads of all values, then the tails of those with a dynamic type. */
  sequence(
    types: readonly SolidityType[],
    valueAt: (index: number) => Value | undefined,
  ): Uint8Array {
    this.#left -= types.length;
    if (this.#left < 0) {
      throw new Unavailable(`arguments with more than ${MAX_ELEMENTS} elements cannot be given`);
    }
    const parts = types.map((type, index) => ({
      isTail: isDynamic(type),
      bytes: this.#one(type, valueAt(index)),
    }));
    let offset = parts.reduce((sum, { isTail, bytes }) => sum + (isTail ? WORD : bytes.length), 0);
    const heads = parts.map(({ isTail, bytes }) => {
      if (!isTail) return bytes;
      const head = toBytes32(BigInt(offset));
      offset += bytes.length;
      return head;
    });
    return Buffer.concat([
      ...heads,
      ...parts.flatMap(({ isTail, bytes }) => (isTail ? bytes : [])),
    ]);
  }

  #one(type: SolidityType, value: Value | undefined): Uint8Array {
    if (value?.kind === 'missing') throw new Unavailable(value.reason);
    if (value?.kind === 'word' && !isReference(type)) return toBytes32(toAbiWord(type, value.word));
    const data = value && dataOf(this.state, value);
    if (data) {
      const padded = new Uint8Array(Math.ceil(data.length / WORD) * WORD);
      padded.set(data);
      return Buffer.concat([toBytes32(BigInt(data.length)), padded]);
    }
    if (value?.kind === 'reference' && type.kind === 'array') {
      const length = lengthOf(this.state, value);
      const count = length > MAX_ELEMENTS ? MAX_ELEMENTS + 1 : Number(length);
      const types = Array.from({ length: count }, () => type.base);
      const elements = this.sequence(types, (index) => elementOf(this.state, value, BigInt(index)));
      return type.length === undefined ? Buffer.concat([toBytes32(length), elements]) : elements;
    }
    if (value?.kind === 'reference' && type.kind === 'struct') {
      const members = type.members();
      return this.sequence(
        members.map((member) => member.type),
        (index) => memberOf(this.state, value, members[index]?.name ?? ''),
      );
    }
    throw new Unavailable(`arguments of the type ${typeName(type)} cannot be given`);
  }
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
        ...{ name: name === '' ? `[${index}]` : name, type: own },
        ...{ slot: 0n, offset: 0 },
      })),
  };
  return calldataReference(data, type, 0n);
}
