import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asDamaged } from './read-failures';

export interface GenerationsOptions {
  /** Number of generations to keep. */
  keep?: number;
  now?: () => Date;
}

const MAX_GENERATIONS = 5;
/** The newest generation is replaced while it is less than this much younger than the one before it, so that the kept ones span hours. */
const SPACING_MS = 10 * 60_000;

/** A kept copy of a file. */
export interface Generation {
  path: string;
  read(): Promise<string>;
}

/** Earlier copies of a file: `<folder>/generations/<file>.<time>`. */
export class Generations {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #keep: number;
  readonly #now: () => Date;

  constructor(
    path: string,
    { keep = MAX_GENERATIONS, now = () => new Date() }: GenerationsOptions = {},
  ) {
    this.#folder = join(dirname(path), 'generations');
    this.#prefix = `${basename(path)}.`;
    this.#keep = keep;
    this.#now = now;
  }

  async newestFirst(): Promise<Generation[]> {
    return (await this.#names()).map((name) => {
      const path = join(this.#folder, name);
      return { path, read: () => readFile(path, 'utf8') };
    });
  }

  /** Keeps a copy. @param text the content of the file */
  async take(text: string): Promise<void> {
    const [newest, second] = await this.#names();
    if (newest !== undefined && (await this.#read(newest)) === text) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = `${this.#prefix}${fileTime(this.#now())}`;
    await writeFile(join(this.#folder, name), text, { mode: 0o600 });
    if (newest !== undefined && second !== undefined && newest !== name) {
      const isClose = this.#timeOf(newest) - this.#timeOf(second) < SPACING_MS;
      if (isClose) await rm(join(this.#folder, newest), { force: true });
    }
    for (const old of (await this.#names()).slice(this.#keep)) {
      await rm(join(this.#folder, old), { force: true });
    }
  }

  async removeAll(): Promise<void> {
    for (const name of await this.#names()) await rm(join(this.#folder, name), { force: true });
  }

  async #read(name: string): Promise<string | undefined> {
    return readFile(join(this.#folder, name), 'utf8').catch(() => undefined);
  }

  /** Newest first. */
  async #names(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(asDamaged<string[]>([]));
    return names
      .filter((name) => name.startsWith(this.#prefix) && !Number.isNaN(this.#timeOf(name)))
      .sort()
      .reverse();
  }

  #timeOf(name: string): number {
    const [day, time = ''] = name.slice(this.#prefix.length).split('T');
    return Date.parse(`${day}T${time.replaceAll('-', ':')}`);
  }
}

/** RFC 3339 in UTC, with only characters that every file system accepts. */
export const fileTime = (time: Date): string => time.toISOString().replaceAll(':', '-');
