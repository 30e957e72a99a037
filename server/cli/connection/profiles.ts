import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { makeDirectory } from '../../kernel/files/make-directory';
import { replaceFile } from '../../kernel/files/replace-file';
import { didYouMean } from '../errors/did-you-mean';
import { UsageError } from '../errors/usage-error';
import { configFolder } from './config-folder';

const profileSchema = z.strictObject({ url: z.string(), accessKey: z.string() });
const fileSchema = z.strictObject({
  /** Name of the profile in use; null: the service of the data directory. */
  current: z.string().nullable(),
  profiles: z.record(z.string(), profileSchema),
});

/** A service and its access key. */
export type Profile = z.infer<typeof profileSchema>;
export type ProfileFile = z.infer<typeof fileSchema>;

/** Services stored by `forklens login`, in a file of mode 0600. */
export class Profiles {
  readonly path: string;

  constructor(folder = configFolder()) {
    this.path = join(folder, 'profiles.json');
  }

  /** @throws UsageError if the file is damaged or readable by other users */
  async read(): Promise<ProfileFile> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return { current: null, profiles: {} };
      throw error;
    }
    if (process.platform !== 'win32' && ((await stat(this.path)).mode & 0o077) !== 0) {
      throw new UsageError(
        `${this.path} holds access keys and can be read by other users; restrict it: chmod 600 ${this.path}`,
      );
    }
    const parsed = fileSchema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    throw new UsageError(`${this.path} is damaged; remove it, and run forklens login again`);
  }

  /** @throws UsageError for an unknown name */
  async get(name: string): Promise<Profile> {
    const { profiles } = await this.read();
    const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (found !== undefined) return found;
    throw unknownProfile(name, Object.keys(profiles));
  }

  /** Stores a profile and makes it the profile in use. */
  async store(name: string, profile: Profile): Promise<void> {
    const { profiles } = await this.read();
    await this.#write({ current: name, profiles: { ...profiles, [name]: profile } });
  }

  /** @param name null: the service of the data directory @throws UsageError for an unknown name */
  async use(name: string | null): Promise<void> {
    if (name !== null) await this.get(name);
    await this.#write({ ...(await this.read()), current: name });
  }

  /** @returns the name of the deleted profile @throws UsageError */
  async forget(name: string | undefined): Promise<string> {
    const { current, profiles } = await this.read();
    const forgotten = name ?? current;
    if (forgotten === null) throw new UsageError('no profile is in use; give a name');
    if (!Object.hasOwn(profiles, forgotten)) {
      throw unknownProfile(forgotten, Object.keys(profiles));
    }
    const kept = Object.entries(profiles).filter(([one]) => one !== forgotten);
    await this.#write({
      current: current === forgotten ? null : current,
      profiles: Object.fromEntries(kept),
    });
    return forgotten;
  }

  async #write(content: ProfileFile): Promise<void> {
    await makeDirectory(dirname(this.path), 0o700);
    await replaceFile(this.path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  }
}

function unknownProfile(name: string, known: readonly string[]): UsageError {
  const accepted = known.length === 0 ? 'none is stored; run forklens login' : known.join(', ');
  return new UsageError(
    `profile "${name}" does not exist; accepted: ${accepted}${didYouMean(name, known)}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
