import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiClient } from '../../api/client';
import type { Finding } from '../../api/doctor';
import { healthSchema } from '../../api/routes';
import { timeoutSignal } from '../../api/timeout-signal';
import { localUserKey, recordedUrl } from '../connection/running-service';

const TIMEOUT_MS = 5_000;

/** Whether a service runs on the data directory and has this version. */
export async function checkService(
  dataDir: string,
  version: string,
): Promise<{ finding: Finding; url: string | undefined }> {
  const name = 'service';
  const url = await recordedUrl(dataDir);
  if (url === undefined) {
    const message = 'none runs on the data directory; the next command starts one';
    return { finding: { name, status: 'ok', message }, url };
  }
  try {
    const signal = timeoutSignal(TIMEOUT_MS);
    const health = healthSchema.parse(
      await (await fetch(new URL('/health', url), { signal })).json(),
    );
    const message = `version ${health.version} at ${url}`;
    const finding: Finding =
      health.version === version
        ? { name, status: 'ok', message }
        : { name, status: 'warning', message, advice: `This is version ${version}: restart it.` };
    return { finding, url };
  } catch {
    const message = `does not answer at ${url}`;
    const advice = 'It was killed, or hangs. Start another one.';
    return { finding: { name, status: 'warning', message, advice }, url: undefined };
  }
}

/** Whether the key of the local user is closed to other users and still accepted. */
export async function checkAccessKey(dataDir: string, url: string | undefined): Promise<Finding> {
  const name = 'access key';
  const key = await localUserKey(dataDir);
  if (key === undefined) {
    const message =
      'none in the data directory: VS Code stores its own key, and npm start -- --local-user writes one';
    return { name, status: 'ok', message };
  }
  const file = join(dataDir, 'access-key');
  if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) {
    const message = 'can be read by other users of this machine';
    return { name, status: 'failed', message, advice: `Restrict it: chmod 600 ${file}` };
  }
  if (url === undefined) return { name, status: 'ok', message: 'kept in the data directory' };
  try {
    const client = createApiClient(() => Promise.resolve({ baseUrl: url, accessKey: key }));
    const signal = timeoutSignal(TIMEOUT_MS);
    const { nickname, scopes } = await client.call('getAccount', {}, { signal });
    return { name, status: 'ok', message: `of ${nickname}: ${scopes.join(', ')}` };
  } catch (error) {
    const advice = `Remove ${file}, and start the service with --local-user: it writes a new one.`;
    return { name, status: 'failed', message: (error as Error).message, advice };
  }
}

/** Reports the fault of an invalid config file. @param read throws if the file is invalid */
export function checkConfig<T>(
  path: string | undefined,
  read: () => T,
): { finding: Finding; config: T | undefined } {
  const name = 'config file';
  try {
    const config = read();
    const message = path ?? 'none: well-known chains over public endpoints';
    return { finding: { name, status: 'ok', message }, config };
  } catch (error) {
    const finding: Finding = { name, status: 'failed', message: (error as Error).message };
    return { finding, config: undefined };
  }
}
