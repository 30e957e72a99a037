import type { Trailing } from './trailing';

/** Characters of a text or of codes that are shown. */
const SHOWN = 200;

/**
 * What follows the arguments of a call, in words: `sender 0x1234…cdef`, `attribution "baseapp"`, `3 bytes 0x010203`. Texts of strangers are
 * JSON strings. A question mark marks a guess.
 * @param nameOf the text of an address
 * @param short the text of other bytes
 */
export function trailingText(
  part: Trailing,
  nameOf: (address: string) => string,
  short: (data: string) => string,
): string {
  const { kind, data, codes = [], text = '', sender = '' } = part;
  const guess = part.isGuess ? '?' : '';
  switch (kind) {
    case 'attribution':
      return `attribution ${codes.map((code) => JSON.stringify(code)).join(', ')}`.slice(0, SHOWN);
    case 'sender':
      return `sender${guess} ${nameOf(sender)}`;
    case 'clone-arguments':
      return `clone arguments${guess} ${short(data)}`;
    case 'text':
      return `text ${JSON.stringify(text.slice(0, SHOWN))}`;
    case 'unknown': {
      const bytes = data.length / 2 - 1;
      return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'} ${short(data)}`;
    }
  }
}
