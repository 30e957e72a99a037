import { gunzipSync } from 'node:zlib';

const RECORD = 512;

/** Files of a tar archive, with or without gzip, by their path. Links and extended headers are left out. */
export function readTar(archive: Buffer): Map<string, Buffer> {
  const bytes = archive.readUInt16BE(0) === 0x1f8b ? gunzipSync(archive) : archive;
  const files = new Map<string, Buffer>();
  for (let at = 0; at + RECORD <= bytes.length && bytes[at] !== 0;) {
    const name = textAt(bytes, at, 100);
    const prefix = textAt(bytes, at + 345, 155);
    const size = parseInt(textAt(bytes, at + 124, 12).trim(), 8);
    const type = String.fromCharCode(bytes[at + 156]!);
    const begin = at + RECORD;
    if (type === '0' || type === '\0') {
      files.set(prefix === '' ? name : `${prefix}/${name}`, bytes.subarray(begin, begin + size));
    }
    at = begin + Math.ceil(size / RECORD) * RECORD;
  }
  return files;
}

const textAt = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString('latin1', at, at + length).replace(/\0.*$/s, '');
