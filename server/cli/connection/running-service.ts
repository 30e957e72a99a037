import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { healthSchema } from '../../api/routes';
import { timeoutSignal } from '../../api/timeout-signal';
import { readServiceRecord } from '../../client/service-record';
import { httpFetch } from './http-fetch';

const HEALTH_TIMEOUT_MS = 2_000;

/** The service that holds a data directory. */
export interface RunningService {
  url: string;
  /** Token of the administration. A process that can read the data directory has it. */
  adminToken: string;
}

/**
 * The service on a data directory; undefined if none is ready. Compares the instance id at the recorded address: after a crash, a service
 * of another directory may use the port.
 */
export async function findRunningService(dataDir: string): Promise<RunningService | undefined> {
  const record = await readServiceRecord(dataDir);
  if (record?.url === null || record?.url === undefined) return undefined;
  const { url, instance, adminToken } = record;
  try {
    const signal = timeoutSignal(HEALTH_TIMEOUT_MS);
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

/** Address of the service that holds the directory, even if it does not answer. */
export async function recordedUrl(dataDir: string): Promise<string | undefined> {
  return (await readServiceRecord(dataDir))?.url ?? undefined;
}

/** Key of the local user; undefined if the service never ran with `--local-user`. */
export async function localUserKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'access-key'), 'utf8').catch(() => undefined);
  return text?.trim();
}
