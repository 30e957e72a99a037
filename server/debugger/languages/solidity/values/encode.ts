import { toBytes32 } from '../../../../evm/interpreter/word';
import { elementOf, lengthOf, memberOf, wholeBytes } from './access';
import { isDynamic } from './calldata-values';
import type { State } from './state';
import { isReference, typeName, type SolidityType } from './types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from './value';
import { toAbiWord } from './words';

const WORD = 32;
/** Elements and members of all values. */
const MAX_ELEMENTS = 4_096;
/** Of all texts: some of the largest that are read. */
const MAX_BYTES = 1_048_576;

/**
 * Values one after another (Contract ABI specification, "Formal Specification of the Encoding").
 * @param values of the types
 * @throws Unavailable for values that are not known, or are too many or too long
 */
export const encodeSequence = (
  state: State,
  types: readonly SolidityType[],
  values: readonly Value[],
): Uint8Array => new Encoder(state).sequence(types, (index) => values[index]);

class Encoder {
  #left = MAX_ELEMENTS;
  #leftBytes = MAX_BYTES;

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
    const data = value && wholeBytes(this.state, value);
    if (data) {
      this.#leftBytes -= data.length;
      if (this.#leftBytes < 0) {
        throw new Unavailable(
          `arguments with more than ${MAX_BYTES} bytes of texts cannot be given`,
        );
      }
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
