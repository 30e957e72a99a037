import { Unavailable } from '../../port/unavailable';
import { unknownType, type ReferenceType, type SolidityType, type ValueType } from './types';

export interface StoragePlace {
  readonly in: 'storage' | 'transient';
  readonly address: string;
  readonly slot: bigint;
  /** Bytes from the right end of the slot. */
  readonly offset: number;
}

/** Where the data of a reference type is. */
export type Place =
  | StoragePlace
  | { readonly in: 'memory'; readonly offset: bigint }
  | {
      readonly in: 'calldata';
      readonly offset: bigint;
      /** Of a dynamic array, bytes or string. */
      readonly length?: bigint;
      /** Data in the same encoding that are not the call data: what a function returned, or an expression writes. */
      readonly data?: Uint8Array;
    };

/** Where the word of a value type was read. */
export type Origin =
  StoragePlace | { readonly in: 'stack' | 'memory' | 'calldata' | 'code' | 'message' | 'block' };

/** A value at a step of a recording, or of an expression. */
export type Value =
  | {
      readonly kind: 'word';
      readonly type: ValueType;
      readonly word: bigint;
      readonly origin?: Origin;
    }
  | {
      readonly kind: 'reference';
      readonly type: ReferenceType;
      readonly place: Place;
      /** Of an array or struct that an expression writes: its text, such as `[1, 2]`. */
      readonly literal?: string;
    }
  | {
      readonly kind: 'data';
      readonly type: ReferenceType;
      readonly data: Uint8Array;
      /** Whether an expression writes it, as `"text"` or `hex"00ff"`. */
      readonly isLiteral?: boolean;
      readonly origin?: Origin;
    }
  | {
      readonly kind: 'missing';
      readonly type: SolidityType;
      readonly reason: string;
      readonly origin?: Origin;
    };

/** Of a value whose type is not known either. */
export const UNKNOWN_TYPE: ValueType = unknownType('');

/** Makes a missing value of what a reading throws. */
export function orMissing(type: SolidityType, read: () => Value, origin?: Origin): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { kind: 'missing', type, reason: error.message, ...(origin && { origin }) };
  }
}
