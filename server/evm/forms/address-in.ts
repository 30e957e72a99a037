import type { Address } from '../../api/primitives';

/** The address in the last 20 bytes of a word; undefined for zero and for other values. */
export function addressIn(word: unknown): Address | undefined {
  if (typeof word !== 'string') return undefined;
  const digits = /^0x(?:0{24})?([0-9a-f]{40})$/.exec(word.toLowerCase())?.[1];
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`;
}
