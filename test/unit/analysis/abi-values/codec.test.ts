import assert from 'node:assert/strict';
import { AbiCoder, ParamType } from 'ethers';
import fc from 'fast-check';
import type { AbiValue } from '../../../../server/analysis/abi-values/abi-reader';
import { decodeExactly, toParams } from '../../../../server/analysis/abi-values/codec';
import type { Param } from '../../../../server/api/decoding';
import type { Hex } from '../../../../server/api/primitives';

const coder = AbiCoder.defaultAbiCoder();

/** An ABI type with a value of it. */
type Typed = readonly [type: string, value: unknown];
const hexOf = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((b) => `0x${Buffer.from(b).toString('hex')}`);
const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8);
const leaf: fc.Arbitrary<Typed> = fc.oneof(
  bits.chain((n) =>
    fc.bigInt({ min: 0n, max: 2n ** BigInt(n) - 1n }).map((v): Typed => [`uint${n}`, v]),
  ),
  bits.chain((n) =>
    fc
      .bigInt({ min: -(2n ** BigInt(n - 1)), max: 2n ** BigInt(n - 1) - 1n })
      .map((v): Typed => [`int${n}`, v]),
  ),
  fc.integer({ min: 1, max: 32 }).chain((n) => hexOf(n).map((v): Typed => [`bytes${n}`, v])),
  hexOf(20).map((v): Typed => ['address', v]),
  fc.boolean().map((v): Typed => ['bool', v]),
  fc.integer({ min: 0, max: 80 }).chain((n) => hexOf(n).map((v): Typed => ['bytes', v])),
  fc.string({ unit: 'grapheme' }).map((v): Typed => ['string', v]),
);
const typed: fc.Arbitrary<Typed> = fc.letrec<{ any: Typed }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .array(tie('any'), { minLength: 1, maxLength: 3 })
      .map((parts): Typed => [
        `tuple(${parts.map(([t]) => t).join(',')})`,
        parts.map(([, v]) => v),
      ]),
    fc
      .tuple(tie('any'), fc.integer({ min: 0, max: 3 }), fc.boolean())
      .map(([[type, value], count, fixed]): Typed => [
        `${type}[${fixed && count > 0 ? count : ''}]`,
        Array.from({ length: count }, () => value),
      ]),
  ),
})).any;

/** Converts a decoded value to a value of the coder, from the text of a parameter. */
function parse(type: ParamType, value: unknown): unknown {
  if (type.isArray()) return (value as unknown[]).map((one) => parse(type.arrayChildren, one));
  if (type.isTuple()) {
    const { components } = type;
    return components.map((component, index) => parse(component, (value as unknown[])[index]));
  }
  if (type.type === 'bool') return String(value) === 'true';
  return type.type === 'address' ? String(value).toLowerCase() : value;
}
const parseText = (type: ParamType, text: string): unknown =>
  parse(type, type.isArray() || type.isTuple() ? JSON.parse(text) : text);

/** Undefined if the coder fails, or if re-encoding its result produces other bytes. */
function paramsByCoder(types: readonly ParamType[], data: Hex): Param[] | undefined {
  try {
    const values = coder.decode(types, data);
    if (coder.encode(types, values) !== data) return undefined;
    const plain = types.map((type, index) => parse(type, values[index]) as AbiValue);
    return toParams(types, plain);
  } catch {
    return undefined;
  }
}

/** Damages encoded data: a changed digit, a small number instead of a word, an extra or a missing word. */
type Damage = (data: string) => string;
const place = fc.nat({ max: 1_000 });
/** Replaces the word with this index, modulo the number of words. */
const atWord = (data: string, number: number, to: (word: string) => string): string => {
  const at = 2 + (number % Math.max(1, (data.length - 2) / 64)) * 64;
  return data.slice(0, at) + to(data.slice(at, at + 64)) + data.slice(at + 64);
};
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(place, fc.nat({ max: 63 }), fc.nat({ max: 15 })).map(
    ([number, digit, value]): Damage =>
      (data) =>
        atWord(data, number, (w) => w.slice(0, digit) + value.toString(16) + w.slice(digit + 1)),
  ),
  fc.tuple(place, fc.nat({ max: 40 })).map(
    ([number, value]): Damage =>
      (data) =>
        atWord(data, number, () => (value * 8).toString(16).padStart(64, '0')),
  ),
  place.map(
    (number): Damage =>
      (data) =>
        atWord(data, number, (w) => w + w),
  ),
  place.map(
    (number): Damage =>
      (data) =>
        atWord(data, number, () => ''),
  ),
  fc.constant((data: string): string => data.slice(0, -2)),
);
const damages = fc.array(damage, { maxLength: 2 });

describe('any ABI value', () => {
  it('is equal after decoding to text and encoding again', () => {
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 4 }), (values) => {
        const types = values.map(([type]) => ParamType.from(type));
        const data = coder.encode(
          types,
          values.map(([, value]) => value),
        ) as Hex;
        const decoded = decodeExactly(types, data);
        assert.ok(decoded);
        const texts = toParams(types, decoded).map(({ value }) => value);
        assert.equal(
          coder.encode(
            types,
            texts.map((text, i) => parseText(types[i]!, text)),
          ),
          data,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is decoded only from its own encoding, checked with a coder that decodes and re-encodes', () => {
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), damages, (values, changes) => {
        const types = values.map(([type]) => ParamType.from(type));
        const encoded = coder.encode(
          types,
          values.map(([, value]) => value),
        );
        const data = changes.reduce((text, change) => change(text), encoded) as Hex;
        const decoded = decodeExactly(types, data);
        assert.deepEqual(decoded && toParams(types, decoded), paramsByCoder(types, data));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is decoded like by the coder, word by word', () => {
    fc.assert(
      fc.property(leaf, hexOf(32), ([type], data) => {
        const types = [ParamType.from(type)];
        const decoded = decodeExactly(types, data as Hex);
        assert.deepEqual(decoded && toParams(types, decoded), paramsByCoder(types, data as Hex));
      }),
      { numRuns: 500 },
    );
  });
});
