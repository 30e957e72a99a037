import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTime } from '../../kernel/files/file-generations';
import { makeDirectory } from '../../kernel/files/make-directory';
import { checked, readIfThere, reasonOf } from '../../kernel/files/recoverable-file';
import { parseStore } from '../../store/accounts/schema';
import { DATA_PARTS, dataParts, namesIn } from '../../store/directory/data-parts';

/**
 * Copies a data directory. The caller must hold its lock.
 * @param target a folder that is empty or does not exist
 * @returns the names of the copied parts
 * @throws Error with a message for the user
 */
export async function backUp(dataDir: string, target: string): Promise<string[]> {
  if ((await namesIn(target)).length > 0) throw new Error(`${target} is not empty`);
  const parts = await dataParts(dataDir);
  if (!parts.includes('store.json')) throw new Error(`there is no store.json in ${dataDir}`);
  await makeDirectory(target, 0o700);
  await copyParts(dataDir, target, parts);
  return parts;
}

/**
 * Replaces the data of a data directory with a backup, and moves the old data to another folder. The caller must hold the lock.
 * @returns the folder with the old data; undefined if there was none
 * @throws Error with a message for the user; nothing is changed then
 */
export async function restore(
  dataDir: string,
  source: string,
  now: Date,
): Promise<string | undefined> {
  const text = await readIfThere(join(source, 'store.json'));
  if (text === undefined) throw new Error(`${source} is not a backup: it has no store.json`);
  try {
    checked('store.json', parseStore)(text);
  } catch (error) {
    throw new Error(`store.json in ${source} is damaged (${reasonOf(error)})`, { cause: error });
  }
  const parts = await dataParts(dataDir);
  const retiredPath = join(dataDir, `set-aside-${fileTime(now)}`);
  if (parts.length > 0) await mkdir(retiredPath, { mode: 0o700 });
  for (const part of parts) await rename(join(dataDir, part), join(retiredPath, part));
  try {
    await copyParts(source, dataDir, await dataParts(source));
  } catch (error) {
    for (const part of DATA_PARTS) await rm(join(dataDir, part), { recursive: true, force: true });
    for (const part of parts) await rename(join(retiredPath, part), join(dataDir, part));
    throw error;
  }
  return parts.length > 0 ? retiredPath : undefined;
}

async function copyParts(from: string, to: string, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    await cp(join(from, part), join(to, part), { recursive: true, preserveTimestamps: true });
  }
}
