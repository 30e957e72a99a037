import type { Hex } from '../../api/primitives';

/** A range of bytecode that differs between deployments of the same source, in bytes. */
export interface MaskedRange {
  readonly start: number;
  readonly length: number;
}

/** How code equals a compilation: `exact`: with its metadata; `withoutMetadata`: its metadata, such as comments and settings, differs. */
export type CodeMatch = 'exact' | 'withoutMetadata';

interface FixedPart {
  readonly offset: number;
  readonly digits: string;
}

const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;

/**
 * Bytecode with holes: link references, immutables, and the metadata that Solidity appends (its "Contract Metadata", encoding of the
 * metadata hash in the bytecode). Two contracts with the same template have the same source.
 */
export class CodeTemplate {
  /** Length without the metadata, in bytes. */
  readonly length: number;
  /** Length with the metadata, in bytes. */
  readonly fullLength: number;
  /** Parts that have to be equal: hex digits and their offset in the text. */
  readonly #fixed: readonly FixedPart[];
  /** Metadata: at the end, and of contracts that this one creates. */
  readonly #metadata: readonly FixedPart[];

  /**
   * @param code hex digits without `0x`; placeholders of libraries (`__$…$__`) must be masked
   * @param metadata ranges of metadata besides the one at the end
   */
  constructor(code: string, masks: readonly MaskedRange[], metadata: readonly MaskedRange[] = []) {
    this.fullLength = code.length / 2;
    this.length = this.fullLength - metadataLength(code);
    const all = [...masks, ...metadata, ...implicitMasks(code)];
    this.#fixed = fixedParts(code.slice(0, this.length * 2), all);
    this.#metadata = [...metadata, { start: this.length, length: this.fullLength - this.length }]
      .filter(({ start }) => start <= this.length)
      .map(({ start, length }) => ({
        offset: start * 2,
        digits: code.slice(start * 2, (start + length) * 2),
      }));
  }

  /** @param code deployed code */
  matches(code: Hex): boolean {
    const digits = code.slice(2);
    return digits.length / 2 - metadataLength(digits) === this.length && this.#equals(digits);
  }

  /** @param code deployed code, or init code. @returns undefined if it is another contract's */
  compare(code: Hex, isCreation: boolean): CodeMatch | undefined {
    if (!(isCreation ? this.begins(code) : this.matches(code))) return undefined;
    const digits = code.slice(2);
    const isEqual =
      (isCreation || digits.length === this.fullLength * 2) &&
      this.#metadata.every((part) => digits.startsWith(part.digits, part.offset));
    return isEqual ? 'exact' : 'withoutMetadata';
  }

  /** Whether init code starts with this code; the constructor's arguments follow it. */
  begins(initCode: Hex): boolean {
    return initCode.length - 2 >= this.fullLength * 2 && this.#equals(initCode.slice(2));
  }

  #equals(digits: string): boolean {
    return this.#fixed.every((part) => digits.startsWith(part.digits, part.offset));
  }
}

/** Length of code without its metadata in bytes, by which templates are indexed. */
export const lengthWithoutMetadata = (code: Hex): number =>
  (code.length - 2) / 2 - metadataLength(code.slice(2));

/** Length of the CBOR map at the end and of its length field (two bytes); 0 if there is none. */
function metadataLength(digits: string): number {
  const length = parseInt(digits.slice(-4), 16) + 2;
  if (!(length > 2 && length * 2 <= digits.length)) return 0;
  const first = digits.slice(-length * 2, -length * 2 + 2);
  return /^a[1-9]$/.test(first) ? length : 0;
}

/** Holes that the artifact does not list: a library's own address, and immutables in some formats. */
function* implicitMasks(code: string): Generator<MaskedRange> {
  if (/^730{40}3014/.test(code)) yield { start: 1, length: ADDRESS_BYTES };
  for (const { index } of code.matchAll(/7f0{64}/g)) {
    if (index % 2 === 0) yield { start: index / 2 + 1, length: WORD_BYTES };
  }
}

function fixedParts(code: string, masks: readonly MaskedRange[]): FixedPart[] {
  const parts: FixedPart[] = [];
  let from = 0;
  for (const { start, length } of [...masks].sort((a, b) => a.start - b.start)) {
    if (start * 2 > from) parts.push({ offset: from, digits: code.slice(from, start * 2) });
    from = Math.max(from, (start + length) * 2);
  }
  if (from < code.length) parts.push({ offset: from, digits: code.slice(from) });
  return parts;
}
