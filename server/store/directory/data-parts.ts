import { readdir } from 'node:fs/promises';

/** All parts of a data directory that cannot be regenerated. */
export const DATA_PARTS = [
  'store.json',
  'generations',
  'forks',
  'labels',
  'abis',
  'audit',
  'access-key',
];

/** The parts that a folder has. */
export async function dataParts(folder: string): Promise<string[]> {
  const names = await namesIn(folder);
  return DATA_PARTS.filter((part) => names.includes(part));
}

/** The names in a folder; none if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
}
