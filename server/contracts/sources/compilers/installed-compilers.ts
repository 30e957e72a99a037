import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod';

const packageSchema = z.object({ name: z.literal('solc'), version: z.string() });

/** Where compilers are looked for without an option. */
export const ownFolder = (dataDir: string): string => join(dataDir, 'solc');

/** A package `solc` of npm. */
export interface InstalledCompiler {
  /** Without the commit, such as `0.8.30`. */
  readonly version: string;
  /** Path of its `soljson.js`. */
  readonly soljson: string;
}

/** Packages that are looked at in a folder. */
const MAX_PACKAGES = 500;
const MAX_PACKAGE_FILE = 256 * 1024;
/** A package may have been read while it was being installed: after this time, in milliseconds, it is searched for again. */
const SEARCH_MS = 2_000;

/** The packages `solc` in the `node_modules` of some folders, also under other names (`npm install solc-0.7.6@npm:solc@0.7.6`). */
export class InstalledCompilers {
  readonly #modules: readonly string[];
  #found: Promise<readonly InstalledCompiler[]> | undefined;
  #foundAt = '';
  #searchedAt = -Infinity;

  /** @param folders each with a folder `node_modules` */
  constructor(folders: readonly string[]) {
    this.#modules = [
      ...folders.map((folder) => join(folder, 'node_modules')),
      ...(createRequire(__filename).resolve.paths('solc') ?? []),
    ];
  }

  /** Each version once: the first folder counts. Searched again at once after a package was added or removed. */
  async all(): Promise<readonly InstalledCompiler[]> {
    const at = (await Promise.all(this.#modules.map(changeTime))).join();
    const now = performance.now();
    if (!this.#found || at !== this.#foundAt || now - this.#searchedAt >= SEARCH_MS) {
      [this.#foundAt, this.#searchedAt] = [at, now];
      this.#found = this.#search();
    }
    return this.#found;
  }

  /** @param version without the commit */
  async find(version: string): Promise<InstalledCompiler | undefined> {
    return (await this.all()).find((one) => one.version === version);
  }

  async #search(): Promise<InstalledCompiler[]> {
    const found = new Map<string, InstalledCompiler>();
    for (const folder of this.#modules) {
      const entries = await readdir(folder).catch(() => []);
      const names = entries.filter((name) => name.startsWith('solc')).slice(0, MAX_PACKAGES);
      for (const one of await Promise.all(names.map((name) => readPackage(join(folder, name))))) {
        if (one && !found.has(one.version)) found.set(one.version, one);
      }
    }
    return [...found.values()];
  }
}

/** Of a folder, in milliseconds; 0 where there is none. */
const changeTime = (folder: string): Promise<number> =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

async function readPackage(folder: string): Promise<InstalledCompiler | undefined> {
  const soljson = join(folder, 'soljson.js');
  const file = join(folder, 'package.json');
  try {
    if (!(await stat(soljson)).isFile() || (await stat(file)).size > MAX_PACKAGE_FILE) return;
    const { version } = packageSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return { version, soljson };
  } catch {
    return undefined;
  }
}
