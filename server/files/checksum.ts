import { crc32 } from 'node:zlib';

const checksum = (name: string, text: string): string =>
  crc32(`${name}\n${text}`).toString(16).padStart(8, '0');

/**
 * Adds the member `checksum`, over the name and the content of a JSON object, before its other members. Readers that do not know it can ignore it.
 * @param name what the text belongs to, so that two files that were exchanged are both damaged
 */
export function withChecksum(name: string, json: string): string {
  const rest = json.slice(1);
  return `{"checksum":"${checksum(name, rest)}",${rest}`;
}

/** Whether a text is as `withChecksum` made it. True for a text that has no checksum: older versions and people write such. */
export function fitsChecksum(name: string, text: string): boolean {
  const [, found, rest = ''] = /^\{"checksum":"([0-9a-f]{8})",(.*)$/s.exec(text) ?? [];
  return found === undefined || found === checksum(name, rest);
}
