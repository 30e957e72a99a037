import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Paths of the files below a folder whose bytes contain a text. Running processes may write to the
 * folder: what they delete during the search contains nothing.
 * @throws Error if the folder has no file, since then nothing was searched
 */
export function filesWith(folder: string, text: string): string[] {
  const files = filesBelow(folder);
  if (files.length === 0) throw new Error(`${folder} has no file`);
  return files.filter((file) => ifPresent(() => readFileSync(file))?.includes(text));
}

function filesBelow(folder: string): string[] {
  const entries = ifPresent(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function ifPresent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
