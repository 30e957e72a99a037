import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { CachedLookup, LookupStore } from '../../contracts/abi/lookup-cache';
import { fitsChecksum, withChecksum } from '../../kernel/files/checksum';
import { replaceFile } from '../../kernel/files/replace-file';
import { CacheFolder } from './cache-folder';

const MAX_FILES = 10_000;
const cachedLookupSchema = z.object({ expires: z.number().nullable(), value: z.unknown() });

/** What public services answered, a file for each look-up. A file that cannot be read or written counts as none. */
export class LookupFiles implements LookupStore {
  readonly #files: CacheFolder;

  constructor(folder: string) {
    this.#files = new CacheFolder({ folder, limit: { files: MAX_FILES } });
  }

  async read(key: string): Promise<CachedLookup | undefined> {
    try {
      const text = await readFile(this.#files.pathOf(`${key}.json`), 'utf8');
      return fitsChecksum(key, text)
        ? cachedLookupSchema.safeParse(JSON.parse(text)).data
        : undefined;
    } catch {
      return undefined;
    }
  }

  async write(key: string, kept: CachedLookup): Promise<void> {
    const path = this.#files.pathOf(`${key}.json`);
    const text = withChecksum(key, JSON.stringify(kept));
    try {
      await mkdir(dirname(path), { recursive: true });
      await replaceFile(path, text, { durable: false });
      await this.#files.added(text.length);
    } catch {
      // A full disk must not fail an analysis.
    }
  }
}
