import type { Hex } from '../../server/api/primitives';

/** A transaction hash or an address in a text. */
export interface HexLiteral {
  kind: 'transaction' | 'address';
  /** Offset in the line. */
  start: number;
  length: number;
  /** In lower case. */
  value: Hex;
}

/** Standalone hex words of 20 or 32 bytes. Parts of a longer word do not match. */
const LITERAL = /(?<![0-9a-zA-Z])0x(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40})(?![0-9a-zA-Z])/g;
const HASH_LENGTH = 66;

/** All hashes and addresses of a line, from left to right; values in lower case. */
export function hexLiterals(line: string): HexLiteral[] {
  return [...line.matchAll(LITERAL)].map(({ index: start, 0: text }) => {
    const kind = text.length === HASH_LENGTH ? 'transaction' : 'address';
    return { kind, start, length: text.length, value: text.toLowerCase() as Hex };
  });
}

/** The literal at an offset of a line. The offset right after its last character counts. */
export function hexLiteralAt(line: string, offset: number): HexLiteral | undefined {
  return hexLiterals(line).find(({ start, length }) => start <= offset && offset <= start + length);
}
