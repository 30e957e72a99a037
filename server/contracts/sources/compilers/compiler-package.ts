import { gunzipSync } from 'node:zlib';
import { CompilerPackageError } from './compiler-package-error';

const RECORD = 512;
/** `soljson.js` has up to 35 MB. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Files of a package `solc` that are kept. The compiler is one file. */
const KEPT = ['package.json', 'soljson.js', 'LICENSE'] as const;
type Kept = (typeof KEPT)[number];

/** The files of a package that running its compiler needs (tar, POSIX ustar). @throws CompilerPackageError */
export function compilerFiles(tarball: Buffer): ReadonlyMap<Kept, Buffer> {
  const bytes = unpacked(tarball);
  const found = new Map<Kept, Buffer>();
  for (let at = 0; at + RECORD <= bytes.length && bytes[at] !== 0;) {
    const size = parseInt(textAt(bytes, at + 124, 12).trim(), 8);
    if (!(size >= 0)) break;
    const begin = at + RECORD;
    const name = KEPT.find((one) => textAt(bytes, at, 100) === `package/${one}`);
    if (name !== undefined) found.set(name, bytes.subarray(begin, begin + size));
    at = begin + Math.ceil(size / RECORD) * RECORD;
  }
  if (found.has('package.json') && found.has('soljson.js')) return found;
  throw new CompilerPackageError('the package has no soljson.js: it is not a compiler');
}

function unpacked(tarball: Buffer): Buffer {
  try {
    return gunzipSync(tarball, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw new CompilerPackageError('the package cannot be unpacked', { cause });
  }
}

const textAt = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString('latin1', at, at + length).replace(/\0.*$/s, '');
