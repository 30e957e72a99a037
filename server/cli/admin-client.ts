import { z } from 'zod';
import { openAccountServices } from '../account-services';
import { API_ERRORS, ApiError, type ApiErrorName } from '../api/errors';
import { createLog } from '../log';
import type { AdminCommand, AdminResult } from '../projects/admin-commands';
import { DataDirectoryLock, DirectoryInUseError, type Holder } from '../store/data-directory';

const answerSchema = z.object({ code: z.int(), message: z.string(), data: z.unknown() });

/**
 * Runs a command on a data directory: by the service that holds it, or else in this process.
 * @throws ApiError of the command; DirectoryInUseError where the holder has no address (it is just starting or stopping)
 */
export async function runAdminCommand<Name extends AdminCommand>(
  dataDir: string,
  name: Name,
  input: Record<string, unknown>,
): Promise<AdminResult[Name]> {
  let lock: DataDirectoryLock;
  try {
    lock = await DataDirectoryLock.acquire(dataDir);
  } catch (error) {
    if (!(error instanceof DirectoryInUseError) || error.holder.url === null) throw error;
    const data = await askService(error.holder.url, error.holder, name, input);
    return data as AdminResult[Name];
  }
  try {
    return await runHere(dataDir, name, input);
  } finally {
    await lock.release();
  }
}

async function runHere<Name extends AdminCommand>(
  dataDir: string,
  name: Name,
  input: Record<string, unknown>,
): Promise<AdminResult[Name]> {
  const { admin } = await openAccountServices({
    dataDir,
    projectLimit: 0, // no command creates projects beyond the first
    clock: () => new Date(),
    log: createLog('warn'),
    deleteForksOf: () => Promise.resolve(), // no command deletes projects
  });
  return admin.run(name, input);
}

async function askService(
  url: string,
  { adminToken }: Holder,
  name: AdminCommand,
  input: Record<string, unknown>,
): Promise<unknown> {
  const response = await fetch(new URL(`/admin/${name}`, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
  const { code, message, data } = answerSchema.parse(await response.json());
  if (code === 0) return data;
  const kinds = Object.keys(API_ERRORS) as ApiErrorName[];
  throw new ApiError(kinds.find((kind) => API_ERRORS[kind].code === code) ?? 'internal', message);
}
