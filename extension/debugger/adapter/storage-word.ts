import * as l10n from '@vscode/l10n';
import { Buffer } from 'node:buffer';
import { encodeAbiParameters, keccak256 } from 'viem';
import { ApiError, invalidField } from '../../../server/api/errors';
import type { Variable } from '../../../server/api/recording';
import { acceptedBy, argumentProblem, parseArgument } from '../../../server/client/abi-argument';

/** New words of slots. */
export interface SlotWords {
  address: string;
  /** By slot: 0x and 64 hex digits each. */
  words: Readonly<Record<string, string>>;
}

const WORD = 32;
/** Of a text that is shown as a whole. */
const MOST_BYTES = 4_096;

/** Whether a variable can be changed: it is one value in storage, or a text. */
export const isSettable = ({ type, location, slot, unavailable, raw }: Variable): boolean =>
  location === 'storage' &&
  slot !== undefined &&
  unavailable === undefined &&
  (isText(type) || (raw !== undefined && !type.startsWith('function')));

/** Whether values of a type are bytes of any length. */
export const isText = (type: string): boolean => type === 'string' || type === 'bytes';

/** The value of a literal `hex"…"`; undefined for other texts. */
export function hexLiteral(text: string): Buffer | undefined {
  const [, digits] = /^hex"((?:[0-9a-f]{2})*)"$/.exec(text) ?? [];
  return digits === undefined ? undefined : Buffer.from(digits, 'hex');
}

/**
 * The slots of a `string` or `bytes` with a new value (Solidity documentation, "Layout of State Variables in Storage").
 * @throws ApiError `invalidField` for a variable that is not in storage, and for more than 4,096 bytes
 */
export function textWords({ name, ...variable }: Variable, data: Buffer): SlotWords {
  const { address, slot } = placeOf({ name, ...variable });
  if (data.length > MOST_BYTES) {
    throw invalidField(name, `${data.length} bytes`, l10n.t('up to {0} bytes', MOST_BYTES));
  }
  if (data.length < WORD) {
    const padded = Buffer.concat([data, Buffer.alloc(WORD - data.length)]);
    padded[WORD - 1] = data.length * 2;
    return { address, words: { [slot]: `0x${padded.toString('hex')}` } };
  }
  const words: Record<string, string> = { [slot]: wordOf(BigInt(data.length * 2 + 1)) };
  const first = BigInt(keccak256(slot as `0x${string}`));
  for (let index = 0; index * WORD < data.length; index++) {
    const part = data.subarray(index * WORD, (index + 1) * WORD).toString('hex');
    words[wordOf(BigInt.asUintN(8 * WORD, first + BigInt(index)))] =
      `0x${part.padEnd(2 * WORD, '0')}`;
  }
  return { address, words };
}

const wordOf = (value: bigint): string => `0x${value.toString(16).padStart(2 * WORD, '0')}`;

/** @throws ApiError `invalidField` for a variable that is not in storage */
function placeOf({ name, location, address, slot }: Variable): { address: string; slot: string } {
  if (location === 'storage' && address !== undefined && slot !== undefined)
    return { address, slot };
  throw new ApiError(
    'invalidField',
    l10n.t(
      '{0} is not in storage: a simulation starts before the transaction, where only storage has values',
      name,
    ),
  );
}

/** Whether the ABI has no values of a type, such as an enum or a contract. */
export const isNamed = ({ type, raw }: Variable): boolean =>
  raw !== undefined && abiType(type) === undefined;

/** Whether a text is a value of a variable's type, as people write it. */
export function isValue({ type }: Variable, text: string): boolean {
  const abi = abiType(type);
  return abi !== undefined && argumentProblem({ type: abi }, text) === undefined;
}

/**
 * The slot with a new value of a variable.
 * @param text as people write a value of the type
 * @param whole the slot's word, for a variable that shares it; undefined where it is not known
 * @throws ApiError `invalidField` for a variable that cannot be changed, and for a text that is not of its type
 */
export function slotWord(variable: Variable, text: string, whole: bigint | undefined): SlotWords {
  const { name, type } = variable;
  placeOf(variable);
  const abi = abiType(type);
  if (abi === undefined) {
    const accepted = l10n.t('a variable of one value, such as a number, a bool or an address');
    throw invalidField('name', `${name} (${type})`, accepted);
  }
  const parameter = { type: abi };
  if (argumentProblem(parameter, text) !== undefined) {
    throw new ApiError('invalidField', acceptedBy(parameter));
  }
  const encoded = BigInt(encodeAbiParameters([parameter], [parseArgument(parameter, text)]));
  const size = sizeOf(abi);
  // The encoding has bytes at the left end of the word, a slot at the right one.
  const value = abi.startsWith('bytes') ? encoded >> BigInt(8 * (WORD - size)) : encoded;
  return withBits(variable, value, size, whole);
}

/**
 * The slot with the value of another variable of the same type, such as an enum or a contract.
 * @throws ApiError `invalidField` for a variable that cannot be changed
 */
export function copiedWord(
  variable: Variable,
  { value, raw = '0x0' }: Pick<Variable, 'value' | 'raw'>,
  whole: bigint | undefined,
): SlotWords {
  const { length: size = WORD } = variable;
  // Bytes and accounts are shown with all their digits, as a slot has them.
  const isWhole = /^0x[0-9a-f]+$/.test(value) && value.length === 2 + 2 * size;
  return withBits(variable, BigInt(isWhole ? value : raw), size, whole);
}

function withBits(
  variable: Variable,
  value: bigint,
  size: number,
  whole: bigint | undefined,
): SlotWords {
  const { name, offset = 0 } = variable;
  const { address, slot } = placeOf(variable);
  if (size < WORD && whole === undefined) {
    throw new ApiError(
      'invalidField',
      l10n.t('{0} shares its slot with variables whose values are not known', name),
    );
  }
  const shift = BigInt(8 * offset);
  const mask = (1n << BigInt(8 * size)) - 1n;
  const word = ((whole ?? 0n) & ~(mask << shift)) | ((value & mask) << shift);
  return { address, words: { [slot]: wordOf(word) } };
}

/** The ABI's name of an elementary type; undefined for others. */
function abiType(type: string): string | undefined {
  if (/^(u?int[0-9]+|bytes[0-9]+|bool)$/.test(type)) return type;
  return /^(address( payable)?|contract [\w$.]+)$/.test(type) ? 'address' : undefined;
}

function sizeOf(abi: string): number {
  const [, kind = '', digits = ''] = /^([a-z]+)([0-9]*)$/.exec(abi) ?? [];
  if (kind === 'bool') return 1;
  if (kind === 'address') return 20;
  return kind === 'bytes' ? Number(digits) : Number(digits) / 8;
}
