import { keccak256 } from 'ethers';
import { toWord } from '../../../../evm/forms/quantity';
import type { State } from './state';
import {
  elementsPerSlot,
  isReference,
  packedBytes,
  slotsOfType,
  type ArrayType,
  type SolidityType,
} from './types';
import { Unavailable } from '../../port/unavailable';
import { orMissing, type StoragePlace, type Value } from './value';
import { fromPacked, wordHex } from './words';

/** Longer lists cannot be filled by any gas: such a length is no length. */
const MAX_LENGTH = 1n << 64n;
const SHORT_BYTES = 31n;
const WORD = 32;

const slotAt = (state: State, { in: kind, address, slot }: StoragePlace): bigint =>
  kind === 'transient' ? state.transient(address, slot) : state.storage(address, slot);

/** The variable at a place. */
export function storageValue(state: State, type: SolidityType, place: StoragePlace): Value {
  if (isReference(type)) return { kind: 'reference', type, place };
  const read = (): Value => {
    const word = fromPacked(type, slotAt(state, place) >> BigInt(place.offset * 8));
    return { kind: 'word', type, word, origin: place };
  };
  return orMissing(type, read, place);
}

/** @throws Unavailable */
export function storageLength(state: State, { length }: ArrayType, place: StoragePlace): bigint {
  const count = length ?? slotAt(state, place);
  if (count > MAX_LENGTH) throw new Unavailable(`its length would be ${wordHex(count)}`);
  return count;
}

const hashOfSlot = (slot: bigint): bigint => BigInt(keccak256(toWord(slot)));
const wrapped = (slot: bigint): bigint => BigInt.asUintN(256, slot);

/** @param index below the length */
export function storageElement(type: ArrayType, place: StoragePlace, index: bigint): StoragePlace {
  const { base } = type;
  const first = type.length === undefined ? hashOfSlot(place.slot) : place.slot;
  const perSlot = elementsPerSlot(base);
  const slot = perSlot > 1n ? index / perSlot : index * slotsOfType(base);
  const offset = isReference(base) ? 0 : Number(index % perSlot) * packedBytes(base);
  return { ...place, slot: wrapped(first + slot), offset };
}

/** The place of a mapping's entry. @param key bytes of the key: a word for value types */
export function storageEntry(place: StoragePlace, key: Uint8Array): StoragePlace {
  const input = Buffer.concat([key, Buffer.from(toWord(place.slot).slice(2), 'hex')]);
  return { ...place, slot: BigInt(keccak256(input)), offset: 0 };
}

/**
 * The bytes of a `bytes` or `string`: up to 31 in its slot, longer ones in slots of their own.
 * @param limit most bytes that are read
 * @throws Unavailable also for an encoding that Solidity never writes
 */
export function storageBytes(
  state: State,
  place: StoragePlace,
  limit: number,
): { length: bigint; data: Uint8Array } {
  const word = slotAt(state, place);
  const isLong = (word & 1n) === 1n;
  const length = isLong ? word >> 1n : (word & 0xffn) >> 1n;
  if (isLong ? length <= SHORT_BYTES || length > MAX_LENGTH : length > SHORT_BYTES) {
    throw new Unavailable(`the slot holds ${wordHex(word)}, which is not an encoding of bytes`);
  }
  if (!isLong) {
    const data = Buffer.from(toWord(word).slice(2), 'hex').subarray(0, Number(length));
    return { length, data };
  }
  const wanted = Number(length) < limit ? Number(length) : limit;
  const first = hashOfSlot(place.slot);
  const data = Buffer.alloc(Math.ceil(wanted / WORD) * WORD);
  for (let at = 0; at < wanted; at += WORD) {
    const part = slotAt(state, { ...place, slot: wrapped(first + BigInt(at / WORD)) });
    data.write(toWord(part).slice(2), at, 'hex');
  }
  return { length, data: data.subarray(0, wanted) };
}
