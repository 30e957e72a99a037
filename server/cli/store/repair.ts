import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { JournalFiles } from '../../store/journal/journal-folder';
import { fileTime } from '../../kernel/files/file-generations';
import {
  DamagedFileError,
  RecoverableFile,
  readIfThere,
} from '../../kernel/files/recoverable-file';
import { requireDamage } from '../../kernel/files/read-failures';
import { emptyStore, parseStore, salvageStore } from '../../store/accounts/schema';
import { serialize, StoreFile } from '../../store/accounts/store-file';
import { dataFiles } from './check';

/** The repairs, one sentence each. */
export type Repairs = string[];

interface RepairOptions {
  now: Date;
  /** Start with an empty store if no record of the damaged one can be read. */
  empty: boolean;
}

/**
 * Repairs a data directory. Keeps a copy of each damaged file beside the repaired one. The caller must hold the lock.
 * @throws Error with a message for the user if the user must decide
 */
export async function repairStore(dataDir: string, options: RepairOptions): Promise<Repairs> {
  return [
    ...(await repairStoreFile(dataDir, options)),
    ...(await repairJournals(dataDir, options.now)),
    ...(await repairDataFiles(dataDir, options.now)),
  ];
}

async function repairStoreFile(dataDir: string, { now, empty }: RepairOptions): Promise<Repairs> {
  const path = join(dataDir, 'store.json');
  const done: Repairs = [];
  const warn = (_facts: object, message: string): void => void done.push(`${message}.`);
  const file = new StoreFile(path, () => now, warn);
  try {
    await file.read();
    return done;
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
  }
  const text = await readIfThere(path);
  const recoverable = new RecoverableFile(path, { parse: parseStore, warn, now: () => now });
  const salvaged = text === undefined ? undefined : salvage(text);
  if (!salvaged && !empty) {
    throw new Error(
      `nothing of ${path} can be read: replace it with a backup, or start with an empty store with --empty ` +
        '(journals of forks stay in the folder "forks")',
    );
  }
  if (text !== undefined) done.push(`Set store.json aside as ${await recoverable.setAside()}.`);
  await recoverable.write(serialize(salvaged?.data ?? emptyStore()));
  await recoverable.settled();
  if (!salvaged) return [...done, 'Wrote an empty store.json.'];
  const lost = salvaged.lost.length === 0 ? 'none is missing' : `lost: ${salvaged.lost.join(', ')}`;
  return [...done, `Kept every complete record of store.json; ${lost}.`];
}

function salvage(text: string): ReturnType<typeof salvageStore> | undefined {
  try {
    return salvageStore(text);
  } catch {
    return undefined;
  }
}

async function repairJournals(dataDir: string, now: Date): Promise<Repairs> {
  const folder = join(dataDir, 'forks');
  const journals = new JournalFiles(folder, () => undefined);
  const names = await readdir(folder).catch(() => []);
  const done: Repairs = [];
  for (const forkId of names.flatMap((name) => /^(.+)\.journal$/.exec(name)?.[1] ?? [])) {
    try {
      await journals.check(forkId);
    } catch {
      const suffix = `.damaged-${fileTime(now)}`;
      done.push(
        await journals.cut(forkId, suffix).then(
          (count) =>
            `Cut the journal of ${forkId} after its ${count} complete entries; the damaged file is kept as forks/${forkId}.journal${suffix}.`,
          (error: unknown) => `Not repaired: ${(error as Error).message}.`,
        ),
      );
    }
  }
  return done;
}

async function repairDataFiles(dataDir: string, now: Date): Promise<Repairs> {
  const done: Repairs = [];
  for (const { path, name, parse } of await dataFiles(dataDir)) {
    const warn = (_facts: object, message: string): void => void done.push(`${message}.`);
    const recoverable = new RecoverableFile(path, { parse, name, warn, now: () => now });
    try {
      await recoverable.read();
      await recoverable.settled();
    } catch (error) {
      requireDamage(error);
      await recoverable.forget();
      done.push(`Set ${relative(dataDir, path)} aside as ${await recoverable.setAside()}.`);
    }
  }
  return done;
}
