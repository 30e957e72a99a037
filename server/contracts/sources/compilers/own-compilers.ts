import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CompilerPackageError } from './compiler-package-error';
import { compilerFiles } from './compiler-package';
import { InstalledCompilers, ownFolder, type InstalledCompiler } from './installed-compilers';
import { fetchCompilerPackage, registryUrl } from './npm-registry';

/** The compilers in the data directory. */
export class OwnCompilers {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(ownFolder(dataDir), 'node_modules');
  }

  /** @param others further folders with compilers */
  list(others: readonly string[] = []): Promise<readonly InstalledCompiler[]> {
    return new InstalledCompilers([...others, dirname(this.#folder)]).all();
  }

  /**
   * Fetches a compiler from npm, once. It is there as a whole or not at all.
   * @param version such as `0.8.19`
   * @returns its size in bytes; 0 where it was there
   * @throws CompilerPackageError; the signal's reason
   */
  async add(version: string, signal: AbortSignal): Promise<number> {
    if (await this.#own(version)) return 0;
    const files = compilerFiles(await fetchCompilerPackage(version, await registryUrl(), signal));
    await mkdir(this.#folder, { recursive: true });
    const temporary = await mkdtemp(join(this.#folder, '.adding-'));
    try {
      for (const [name, content] of files) await writeFile(join(temporary, name), content);
      signal.throwIfAborted();
      const target = join(this.#folder, nameOf(version));
      await rm(target, { recursive: true, force: true });
      await rename(temporary, target);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    return [...files.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** @throws CompilerPackageError where it is not in the data directory */
  async remove(version: string): Promise<void> {
    const own = await this.#own(version);
    if (!own) {
      const versions = (await this.list()).filter((one) => this.isOwn(one));
      const there = versions.map((one) => one.version).join(', ');
      throw new CompilerPackageError(
        `solc ${version} is not in ${this.#folder}; there: ${there === '' ? 'none' : there}`,
      );
    }
    await rm(dirname(own.soljson), { recursive: true });
  }

  /** Whether a compiler is in the data directory. */
  isOwn({ soljson }: InstalledCompiler): boolean {
    return dirname(dirname(soljson)) === this.#folder;
  }

  async #own(version: string): Promise<InstalledCompiler | undefined> {
    return (await this.list()).find((one) => one.version === version && this.isOwn(one));
  }
}

/** As `npm install solc-0.8.19@npm:solc@0.8.19` names it. */
const nameOf = (version: string): string => `solc-${version}`;
