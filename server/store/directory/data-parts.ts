import { readdir } from 'node:fs/promises';

/** All parts of a data directory that cannot be regenerated. */
export const DATA_PARTS = ['store.json', 'generations', 'forks', 'labels', 'abis', 'access-key'];

/** The parts that a folder has. */
export async function dataParts(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return DATA_PARTS.filter((part) => names.includes(part));
}
