import type { Work } from './slices';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `,`, `[` and `{`: each begins a value, or has one before it. */
const BEGINNINGS: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);
/** Bytes that are read between two pauses. */
const BYTES_PER_PAUSE = 262_144;

/**
 * Whether a JSON text has more values than `most`: a parsed value takes many times the memory of its text, and `[],` takes three bytes. The
 * text need not be valid.
 * @param bytes UTF-8
 */
export function* hasMoreValuesWork(bytes: Buffer, most: number): Work<boolean> {
  let values = 0;
  let pause = BYTES_PER_PAUSE;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= pause) {
      pause = at + BYTES_PER_PAUSE;
      yield BYTES_PER_PAUSE;
    }
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (byte === BACKSLASH) at++;
    } else if (BEGINNINGS.has(byte) && ++values > most) return true;
  }
  return false;
}
