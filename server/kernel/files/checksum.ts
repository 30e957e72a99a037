import { crc32 } from 'node:zlib';

/** Before the members of the object: 8 hex digits, and in files with copies the revision. */
const HEAD = /^\{"checksum":"([0-9a-f]{8})(?: (\d{1,16}))?",(.*)$/s;

const checksum = (...parts: string[]): string => digitsOf(crc32(parts.join('\n')));
const digitsOf = (sum: number): string => sum.toString(16).padStart(8, '0');

/**
 * Adds the member `checksum`, over the name and the content of a JSON object, before its other members. Readers that do not support it can
 * ignore it.
 * @param name identifies the file, so that both files are invalid if two files are exchanged
 * @param revision higher in later contents of the file
 */
export function withChecksum(name: string, json: string, revision?: number): string {
  const rest = json.slice(1);
  if (revision === undefined) return `{"checksum":"${checksum(name, rest)}",${rest}`;
  return `{"checksum":"${checksum(name, String(revision), rest)} ${revision}",${rest}`;
}

/**
 * `withChecksum` of an object in pieces, as interruptible work.
 * @returns the pieces, in UTF-8
 */
export function* withChecksumWork(
  name: string,
  json: Iterable<string>,
): Generator<number, Buffer[], undefined> {
  const rest: Buffer[] = [];
  let sum = crc32(`${name}\n`);
  for (const text of json) {
    const piece = Buffer.from(rest.length === 0 ? text.slice(1) : text);
    sum = crc32(piece, sum);
    rest.push(piece);
    yield 1;
  }
  return [Buffer.from(`{"checksum":"${digitsOf(sum)}",`), ...rest];
}

/** Whether the checksum of a text is correct. True for a text without checksum: older versions and people write such texts. */
export function fitsChecksum(name: string, text: string): boolean {
  const [, found, revision, rest = ''] = HEAD.exec(text) ?? [];
  return (
    found === undefined ||
    found === checksum(name, ...(revision === undefined ? [] : [revision]), rest)
  );
}

/** The revision of a text; 0 if it has none. */
export const revisionOf = (text: string): number => Number(HEAD.exec(text)?.[2] ?? 0);
