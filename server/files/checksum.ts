import { crc32 } from 'node:zlib';

const checksum = (name: string, text: string): string =>
  crc32(`${name}\n${text}`).toString(16).padStart(8, '0');

/**
 * Adds the member `checksum`, over the name and the content of a JSON object, before its other members. Readers that do not support it can
 * ignore it.
 * @param name identifies the file, so that both files are invalid if two files are exchanged
 */
export function withChecksum(name: string, json: string): string {
  const rest = json.slice(1);
  return `{"checksum":"${checksum(name, rest)}",${rest}`;
}

/** Whether the checksum of a text is correct. True for a text without checksum: older versions and people write such texts. */
export function fitsChecksum(name: string, text: string): boolean {
  const [, found, rest = ''] = /^\{"checksum":"([0-9a-f]{8})",(.*)$/s.exec(text) ?? [];
  return found === undefined || found === checksum(name, rest);
}
