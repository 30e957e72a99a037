import { isReference, type SolidityType } from './types';
import { bytesText, wordFault, wordText } from './words';

/** A key of a mapping that the transaction used. */
export interface MappingKey {
  /** As written in Solidity. */
  readonly text: string;
  /** Word of a value type, or bytes. */
  readonly key: bigint | Uint8Array;
}

const WORD_DIGITS = 64;

/** Reads the bytes that were hashed with a mapping's slot; those that are no key of the type are left out. */
export function mappingKeys(type: SolidityType, hashed: readonly string[]): MappingKey[] {
  return hashed.flatMap((digits): MappingKey[] => {
    if (type.kind === 'bytes' || type.kind === 'string') {
      const key = Buffer.from(digits, 'hex');
      return [{ key, text: bytesText(type.kind, key) }];
    }
    if (isReference(type) || digits.length !== WORD_DIGITS) return [];
    const key = BigInt(`0x${digits}`);
    if (wordFault(type, key) !== undefined) return [];
    // The name of a member may be unknown, its number is a key as well.
    const isNumbered = type.kind === 'enum' && !type.members;
    return [{ key, text: isNumbered ? key.toString() : wordText(type, key) }];
  });
}
