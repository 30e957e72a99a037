const [NEWLINE, BLANK, DOUBLE, SINGLE, BACKSLASH] = [0x0a, 0x20, 0x22, 0x27, 0x5c];
const [STAR, SLASH] = [0x2a, 0x2f];

/** Solidity of the same length with blanks in place of comments and of what strings contain, so that each other byte is code. */
export function plainSource(content: string): Buffer {
  const plain = Buffer.from(content);
  for (let at = 0; at < plain.length; at++) {
    const byte = plain[at];
    if (byte === DOUBLE || byte === SINGLE) {
      const end = endOfString(plain, at);
      plain.fill(BLANK, at + 1, end);
      at = end;
    } else if (byte === SLASH && plain[at + 1] === SLASH) {
      at = blank(plain, at, endAt(plain.indexOf(NEWLINE, at), plain));
    } else if (byte === SLASH && plain[at + 1] === STAR) {
      at = blank(plain, at, endAt(plain.indexOf('*/', at + 2), plain, 2));
    }
  }
  return plain;
}

/** @returns the last place that was filled */
function blank(plain: Buffer, start: number, end: number): number {
  plain.fill(BLANK, start, end);
  return end - 1;
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    // A string ends on its line: an apostrophe in an unusual place must not hide the rest of the file.
    else if (bytes[at] === bytes[start] || bytes[at] === NEWLINE) return at;
  }
  return bytes.length;
}

const endAt = (found: number, bytes: Buffer, length = 0): number =>
  found < 0 ? bytes.length : found + length;
