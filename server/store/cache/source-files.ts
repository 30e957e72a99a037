import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import type { CachedLookup, LookupStore } from '../../contracts/abi/lookup-cache';
import { LIMITS } from '../../api/limits';
import { jsonPieces } from '../../kernel/async/json-pieces';
import { parseJsonWork } from '../../kernel/async/parse-json';
import { inSlices } from '../../kernel/async/slices';
import { fitsChecksum, withChecksumWork } from '../../kernel/files/checksum';
import { replaceFile } from '../../kernel/files/replace-file';
import { CacheFolder } from './cache-folder';

const keptSchema = z.object({ expires: z.number().nullable(), value: z.unknown() });
/** A cleaned source is larger as JSON than the answer that it was read from, by escapes and by names of fields. */
const MAX_TEXT = 4 * LIMITS.sourceAnswer;
const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Sources of verified contracts, compressed, a file for each contract. A file that cannot be read or written counts as none. */
export class SourceFiles implements LookupStore {
  readonly #files: CacheFolder;

  constructor(folder: string, maxBytes: number = LIMITS.sourceCache) {
    this.#files = new CacheFolder({ folder, limit: { bytes: maxBytes } });
  }

  async read(key: string): Promise<CachedLookup | undefined> {
    const path = this.#files.pathOf(`${key}.json.gz`);
    try {
      const bytes = await decompress(await readFile(path), { maxOutputLength: MAX_TEXT });
      const text = bytes.toString('utf8');
      if (!fitsChecksum(key, text)) throw new Error('the file is damaged');
      const { data } = keptSchema.safeParse(await inSlices(parseJsonWork(bytes)));
      await this.#files.touch(path);
      return data;
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!missing) await rm(path, { force: true }).catch(() => undefined);
      return undefined;
    }
  }

  async write(key: string, kept: CachedLookup): Promise<void> {
    const path = this.#files.pathOf(`${key}.json.gz`);
    try {
      const pieces = await inSlices(withChecksumWork(key, jsonPieces(kept)));
      const bytes = await compress(Buffer.concat(pieces), { level: 3 });
      await mkdir(dirname(path), { recursive: true });
      await replaceFile(path, bytes, { durable: false });
      await this.#files.added(bytes.length);
    } catch {
      // A full disk must not fail an analysis.
    }
  }
}
