import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** The files of a zip archive (a .vsix) by name, in the order of its directory. */
export function filesInZip(zip: Buffer): Map<string, Buffer> {
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== END) end--;
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (; zip.readUInt32LE(at) === ENTRY;) {
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const local = zip.readUInt32LE(at + 42);
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(data, data + size);
    const key = zip.toString('utf8', at + 46, at + 46 + name!);
    files.set(key, method === 0 ? content : inflateRawSync(content));
    at += 46 + name! + extra! + comment!;
  }
  return files;
}
