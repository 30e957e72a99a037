import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Log } from '../../contracts/abi/sources';
import type { Address } from '../../api/primitives';
import { RecoverableFile } from '../../kernel/files/recoverable-file';
import { requireDamage } from '../../kernel/files/read-failures';
import { usable } from './storage-damaged';
import {
  parseGivenAbi,
  type GivenAbiKey,
  type GivenAbiRecord,
  type GivenAbiStore,
} from './records';

/** One file per ABI, in a folder per user and chain. */
export class GivenAbiFiles implements GivenAbiStore {
  /** Cache of the files; undefined: no file exists. */
  readonly #known = new Map<string, Promise<GivenAbiRecord | undefined>>();
  /** Number of changes since the start, by user. */
  readonly #changes = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  /** Sets a damaged file aside. */
  async put(key: GivenAbiKey, record: GivenAbiRecord): Promise<void> {
    const path = this.#pathOf(key);
    const file = this.#fileOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await file.read().catch((error: unknown) => {
      requireDamage(error);
      return file.setAside();
    });
    await file.write(JSON.stringify(record));
    this.#known.set(path, Promise.resolve(record));
    this.#count(key);
    await file.settled();
  }

  find(key: GivenAbiKey): Promise<GivenAbiRecord | undefined> {
    const path = this.#pathOf(key);
    let record = this.#known.get(path);
    if (!record) {
      // A repaired file is read again.
      record = usable(this.#fileOf(key).read()).catch((error: unknown) => {
        this.#known.delete(path);
        throw error;
      });
      this.#known.set(path, record);
    }
    return record;
  }

  async delete(key: GivenAbiKey): Promise<boolean> {
    if (!(await this.find(key))) return false;
    const path = this.#pathOf(key);
    // In this order: a copy would restore a missing file.
    await this.#fileOf(key).forget();
    await rm(path, { force: true });
    this.#known.set(path, Promise.resolve(undefined));
    this.#count(key);
    return true;
  }

  async findAll(
    user: string,
    chains: readonly string[],
    addresses: readonly Address[],
  ): Promise<ReadonlyMap<Address, GivenAbiRecord>> {
    const found = new Map<Address, GivenAbiRecord>();
    await Promise.all(
      addresses.map(async (address) => {
        for (const chain of chains) {
          const record = await this.#readable({ user, chain, address });
          if (!record) continue;
          found.set(address, record);
          return;
        }
      }),
    );
    return found;
  }

  revision(user: string): Promise<string> {
    return Promise.resolve(String(this.#changes.get(user) ?? 0));
  }

  #count({ user }: GivenAbiKey): void {
    this.#changes.set(user, (this.#changes.get(user) ?? 0) + 1);
  }

  async *keys(): AsyncGenerator<GivenAbiKey> {
    const options = { recursive: true, withFileTypes: true } as const;
    for (const entry of await readdir(this.folder, options).catch(() => [])) {
      const path = relative(this.folder, join(entry.parentPath, entry.name));
      const [user, chain, name, ...rest] = path.split(sep);
      const address = /^(0x[0-9a-f]{40})\.json$/.exec(name ?? '')?.[1] as Address | undefined;
      if (!user || !chain || !address || rest.length > 0 || !entry.isFile()) continue;
      yield { user, chain, address };
    }
  }

  #readable(key: GivenAbiKey): Promise<GivenAbiRecord | undefined> {
    return this.find(key).catch((error: unknown) => {
      this.log.warn({ err: error }, 'an ABI that a user gave is ignored');
      return undefined;
    });
  }

  #fileOf(key: GivenAbiKey): RecoverableFile<GivenAbiRecord> {
    return new RecoverableFile(this.#pathOf(key), {
      parse: parseGivenAbi,
      name: `${key.user}/${key.chain}/${key.address}.json`,
      warn: this.log.warn.bind(this.log),
      keep: 1,
    });
  }

  #pathOf({ user, chain, address }: GivenAbiKey): string {
    return join(this.folder, user, chain, `${address}.json`);
  }
}
