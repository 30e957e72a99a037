import { keccak256, ripemd160, sha256 } from 'ethers';
import { toBytes32 } from '../../../../evm/interpreter/word';
import { elementOf, lengthOf } from '../values/access';
import { encodeSequence } from '../values/encode';
import type { State } from '../values/state';
import { BYTES, isReference, packedBytes, STRING, UINT256, type BytesType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from '../values/value';
import { convert, dataOf } from './conversions';
import { ExpressionError } from '../../port/expression-error';
import { numberType } from './literals';
import { operandName, word, type Operand } from './operands';

/** An argument with its offset in the expression. */
export interface Given {
  readonly operand: Operand;
  readonly at: number;
}

type BuiltIn = (state: State, given: readonly Given[], at: number, name: string) => Value;

/** Elements that are encoded one by one. */
const MAX_ELEMENTS = 4_096n;
const SELECTOR_BYTES = 4;
const REFERENCE_GAS = 65_536;
/** Of a result, so that functions that call one another cannot double a text without end. */
const MAX_BYTES = 1_048_576;

const number = (state: State, { operand, at }: Given): bigint => {
  const value = convert(state, operand, UINT256, at, 'implicit');
  return value.kind === 'word' ? value.word : 0n;
};

function bytesOf(state: State, { operand, at }: Given, name: string): Uint8Array {
  const found = dataOf(state, operand);
  if (found) return found;
  throw new ExpressionError(`${name} takes bytes, not ${operandName(operand)}`, at);
}

function requireCount(given: readonly Given[], count: number, at: number, name: string): void {
  if (given.length === count) return;
  const wanted = count === 1 ? 'one argument' : `${count} arguments`;
  throw new ExpressionError(`${name} takes ${wanted}, not ${given.length}`, at);
}

const hash =
  (run: (bytes: Uint8Array) => string, length: number): BuiltIn =>
  (state, given, at, name) => {
    requireCount(given, 1, at, name);
    const [bytes = new Uint8Array(0)] = given.map((one) => bytesOf(state, one, name));
    return word({ kind: 'fixedBytes', length }, BigInt(run(bytes)) << BigInt(256 - 8 * length));
  };

/** Arithmetic on the whole product or sum (Solidity documentation, "Mathematical and Cryptographic Functions"). */
const modular =
  (compute: (a: bigint, b: bigint) => bigint): BuiltIn =>
  (state, given, at, name) => {
    requireCount(given, 3, at, name);
    const [a = 0n, b = 0n, modulus = 0n] = given.map((one) => number(state, one));
    if (modulus === 0n) throw new ExpressionError('division by zero', at);
    return word(UINT256, compute(a, b) % modulus);
  };

const data = (bytes: Uint8Array, kind: BytesType = BYTES): Value => ({
  kind: 'data',
  type: kind,
  data: bytes,
});

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length <= MAX_BYTES) return Buffer.concat(parts);
  throw new Unavailable(`the result has ${length} bytes; up to ${MAX_BYTES} are evaluated`);
}

/** A value of an argument; numbers have their smallest type. */
function valueOf(state: State, { operand, at }: Given): Value {
  if (operand.kind === 'literal') {
    const type = numberType(operand);
    if (type) return convert(state, operand, type, at, 'implicit');
  }
  const isValue = operand.kind !== 'literal' && operand.kind !== 'type';
  if (isValue && operand.kind !== 'namespace') return operand;
  throw new ExpressionError(`${operandName(operand)} cannot be encoded`, at);
}

function encoded(state: State, given: readonly Given[]): Uint8Array {
  const values = given.map((one) => valueOf(state, one));
  return encodeSequence(
    state,
    values.map(({ type }) => type),
    values,
  );
}

/** Contract ABI specification, "Non-standard Packed Mode". */
function packed(state: State, given: readonly Given[]): Uint8Array {
  const parts = given.map((one) => {
    if (one.operand.kind === 'literal') {
      throw new ExpressionError(
        'a number has no packed encoding; accepted is one with a type, such as uint8(1)',
        one.at,
      );
    }
    return packedValue(state, valueOf(state, one));
  });
  return joined(parts);
}

function packedValue(state: State, value: Value): Uint8Array {
  if (value.kind === 'missing') throw new Unavailable(value.reason);
  if (value.kind === 'word') {
    const { type } = value;
    if (type.kind === 'function' || type.kind === 'other') {
      throw new Unavailable('functions and unknown types have no packed encoding here');
    }
    const bytes = toBytes32(value.word);
    const base = type.kind === 'userDefined' ? type.underlying : type;
    const size = packedBytes(type);
    return base.kind === 'fixedBytes' ? bytes.subarray(0, size) : bytes.subarray(32 - size);
  }
  const text = dataOf(state, value);
  if (text) return text;
  if (value.kind !== 'reference' || value.type.kind !== 'array' || isReference(value.type.base)) {
    throw new Unavailable('structs and nested lists have no packed encoding');
  }
  const length = lengthOf(state, value);
  if (length > MAX_ELEMENTS)
    throw new Unavailable(`more than ${MAX_ELEMENTS} elements are not encoded`);
  const elements = Array.from({ length: Number(length) }, (_, index) => {
    const element = elementOf(state, value, BigInt(index));
    return encodeSequence(state, [element.type], [element]);
  });
  return Buffer.concat(elements);
}

const withSelector: BuiltIn = (state, [first, ...others], at, name) => {
  if (!first) throw new ExpressionError(`${name} takes a selector`, at);
  const type = { kind: 'fixedBytes', length: SELECTOR_BYTES } as const;
  const value = packedValue(state, convert(state, first.operand, type, first.at, 'implicit'));
  return data(Buffer.concat([value, encoded(state, others)]));
};

const withSignature: BuiltIn = (state, [first, ...others], at, name) => {
  if (!first) throw new ExpressionError(`${name} takes a signature`, at);
  const selector = toBytes32(BigInt(keccak256(bytesOf(state, first, name))));
  return data(Buffer.concat([selector.subarray(0, SELECTOR_BYTES), encoded(state, others)]));
};

function concatenated(state: State, given: readonly Given[], name: string): Uint8Array {
  const parts = given.map((one) => {
    const { operand } = one;
    const isBytes = operand.kind === 'word' && operand.type.kind === 'fixedBytes';
    return isBytes ? packedValue(state, operand) : bytesOf(state, one, name);
  });
  return joined(parts);
}

const FUNCTIONS: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ['keccak256', hash(keccak256, 32)],
  ['sha256', hash(sha256, 32)],
  ['ripemd160', hash(ripemd160, 20)],
  ['addmod', modular((a, b) => a + b)],
  ['mulmod', modular((a, b) => a * b)],
  ['abi.encode', (state, given) => data(encoded(state, given))],
  ['abi.encodePacked', (state, given) => data(packed(state, given))],
  ['abi.encodeWithSelector', withSelector],
  ['abi.encodeWithSignature', withSignature],
  ['bytes.concat', (state, given, _, name) => data(concatenated(state, given, name))],
  ['string.concat', (state, given, _, name) => data(concatenated(state, given, name), STRING)],
]);

/** Names of the functions that Solidity knows everywhere, which depend on their arguments alone. */
export const BUILT_IN_FUNCTIONS: ReadonlySet<string> = new Set(FUNCTIONS.keys());

/** Gas for the bytes of an argument or a result; variables are read up to 64 KiB. */
export function bytesGas(operand: Operand): number {
  const most = operand.kind === 'reference' ? REFERENCE_GAS : 0;
  return operand.kind === 'data' ? operand.data.length : most;
}

/** @throws ExpressionError; Unavailable */
export function callBuiltIn(
  state: State,
  name: string,
  given: readonly Given[],
  at: number,
): Value | undefined {
  return FUNCTIONS.get(name)?.(state, given, at, name);
}
