import { dataOf } from '../expressions/conversions';
import { Frame } from '../evm/frame';
import { toBytes32 } from '../evm/word';
import { bytesOf } from '../values/access';
import { calldataValue } from '../values/calldata-values';
import type { State } from '../values/state';
import { isReference, typeName, type SolidityType } from '../values/types';
import { Unavailable, type Value } from '../values/value';
import { toAbiWord } from '../values/words';

const WORD = 32;

/**
 * Call data of a function (Contract ABI specification).
 * @param values of the types of the parameters
 * @throws Unavailable for arguments of other types than values, bytes and text
 */
export function encodeCall(
  state: State,
  selector: string,
  types: readonly SolidityType[],
  values: readonly Value[],
): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = types.length * WORD;
  for (const [index, type] of types.entries()) {
    const value = values[index];
    if (value?.kind === 'word' && !isReference(type)) {
      heads.push(toBytes32(toAbiWord(type, value.word)));
      continue;
    }
    const data = value && dataOf(state, value);
    if (!data) throw new Unavailable(`arguments of the type ${typeName(type)} cannot be given`);
    const padded = new Uint8Array(Math.ceil(data.length / WORD) * WORD);
    padded.set(data);
    heads.push(toBytes32(BigInt(offset)));
    tails.push(toBytes32(BigInt(data.length)), padded);
    offset += WORD + padded.length;
  }
  return Buffer.concat([Buffer.from(selector, 'hex'), ...heads, ...tails]);
}

/** The only value that a function returns. @throws Unavailable where the data are no value of the type */
export function decodeResult(state: State, type: SolidityType, output: Uint8Array): Value {
  const { frame } = state;
  // Results are encoded as arguments are.
  const inner = { ...state, frame: new Frame(0, { ...frame.context, input: output }, 0) };
  const value = calldataValue(inner, type, 0n, 0n);
  if (value.kind === 'word') return { kind: 'word', type: value.type, word: value.word };
  if (value.kind === 'reference' && (type.kind === 'bytes' || type.kind === 'string')) {
    return { kind: 'data', type, data: bytesOf(inner, value).data };
  }
  throw new Unavailable(`it returns ${typeName(type)}, which cannot be shown`);
}
