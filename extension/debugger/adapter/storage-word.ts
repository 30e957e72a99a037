import * as l10n from '@vscode/l10n';
import { encodeAbiParameters } from 'viem';
import { ApiError, invalidField } from '../../../server/api/errors';
import type { Variable } from '../../../server/api/recording';
import { acceptedBy, argumentProblem, parseArgument } from '../../../server/client/abi-argument';

/** A new word of a slot. */
export interface SlotWord {
  address: string;
  /** 0x and 64 hex digits. */
  slot: string;
  word: string;
}

const WORD = 32;

/** Whether a variable can be changed: it is one value in storage. */
export const isSettable = ({ type, location, slot, unavailable }: Variable): boolean =>
  location === 'storage' &&
  slot !== undefined &&
  unavailable === undefined &&
  abiType(type) !== undefined;

/**
 * The slot with a new value of a variable.
 * @param text as people write a value of the type
 * @param whole the slot's word, for a variable that shares it; undefined where it is not known
 * @throws ApiError `invalidField` for a variable that cannot be changed, and for a text that is not of its type
 */
export function slotWord(variable: Variable, text: string, whole: bigint | undefined): SlotWord {
  const { name, type, location, address, slot, offset = 0 } = variable;
  if (location !== 'storage' || address === undefined || slot === undefined) {
    throw new ApiError(
      'invalidField',
      l10n.t(
        '{0} is not in storage: a simulation starts before the transaction, where only storage has values',
        name,
      ),
    );
  }
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
  if (size < WORD && whole === undefined) {
    throw new ApiError(
      'invalidField',
      l10n.t('{0} shares its slot with variables whose values are not known', name),
    );
  }
  // The encoding has bytes at the left end of the word, a slot at the right one.
  const value = abi.startsWith('bytes') ? encoded >> BigInt(8 * (WORD - size)) : encoded;
  const shift = BigInt(8 * offset);
  const mask = (1n << BigInt(8 * size)) - 1n;
  const word = ((whole ?? 0n) & ~(mask << shift)) | ((value & mask) << shift);
  return { address, slot, word: `0x${word.toString(16).padStart(2 * WORD, '0')}` };
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
