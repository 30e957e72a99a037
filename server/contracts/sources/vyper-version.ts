/** CBOR: a map of one entry, the text `vyper`, and a list of three numbers. */
const HEAD = Buffer.from('a165767970657283', 'hex');
const NUMBERS = 3;
const LENGTH_BYTES = 2;
const WORD_BYTES = 32;
/** Numbers up to this one are a byte of their own in CBOR. */
const MAX_NUMBER = 23;

/**
 * The version of Vyper in the metadata at the end of code, such as `0.3.10`. Vyper 0.3.4 to 0.3.9 write it to the deployed code, where
 * immutables may follow it, and from 0.3.10 on to the creation code, where the constructor's arguments may follow it.
 * @returns undefined for other code, and for versions before
 */
export function vyperVersion(code: Uint8Array): string | undefined {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.byteLength);
  const at = bytes.lastIndexOf(HEAD);
  if (at < 0) return undefined;
  const start = at + HEAD.length;
  const end = start + NUMBERS + LENGTH_BYTES;
  if (end > bytes.length || (bytes.length - end) % WORD_BYTES !== 0) return undefined;
  const numbers = [...bytes.subarray(start, start + NUMBERS)];
  return numbers.every((one) => one <= MAX_NUMBER) ? numbers.join('.') : undefined;
}
