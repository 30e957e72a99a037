import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { healthSchema } from '../../api/routes';
import { httpFetch } from './http-fetch';

const HEALTH_TIMEOUT_MS = 2_000;

const recordSchema = z.object({
  url: z.string().nullable(),
  instance: z.string(),
  adminToken: z.string(),
});

/** The service that holds a data directory. */
export interface RunningService {
  url: string;
  /** Of its administration: whoever can read the data directory has it. */
  adminToken: string;
}

/**
 * The service of a data directory; undefined where none is ready. The one at the recorded address must be the recorded run:
 * after a crash, a service of another directory may have taken the port.
 */
export async function findRunningService(dataDir: string): Promise<RunningService | undefined> {
  const record = await readRecord(dataDir);
  if (record?.url === null || record?.url === undefined) return undefined;
  const { url, instance, adminToken } = record;
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
    const health = healthSchema.parse(
      await (
        await httpFetch(new URL('/health', url), { method: 'GET', headers: {}, signal })
      ).json(),
    );
    return health.instance === instance ? { url, adminToken } : undefined;
  } catch {
    return undefined;
  }
}

/** Address of the service that holds the directory, whether it answers or not. */
export async function recordedUrl(dataDir: string): Promise<string | undefined> {
  return (await readRecord(dataDir))?.url ?? undefined;
}

async function readRecord(dataDir: string): Promise<z.infer<typeof recordSchema> | undefined> {
  try {
    const text = await readFile(join(dataDir, 'service.json'), 'utf8');
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Key of the local user; undefined where the service has never run with `--local-user`. */
export async function localUserKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'access-key'), 'utf8').catch(() => undefined);
  return text?.trim();
}
