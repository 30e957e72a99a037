import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** Slug of the built-in chain. */
export const SANDBOX = 'sandbox';

const storeSchema = z.object({ forks: z.record(z.string(), z.object({ chain: z.string() })) });

/** Whether a data directory contains forks of the built-in chain. A service without that chain could not start them. */
export async function usesSandbox(dataDir: string): Promise<boolean> {
  try {
    const text = await readFile(join(dataDir, 'store.json'), 'utf8');
    const { forks } = storeSchema.parse(JSON.parse(text));
    return Object.values(forks).some(({ chain }) => chain === SANDBOX);
  } catch {
    return false;
  }
}
