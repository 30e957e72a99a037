import { once } from 'node:events';
import { watch } from 'node:fs';
import { timeoutSignal } from '../../api/timeout-signal';
import { createAccountServices } from '../../composition/account-services';
import { openStorage } from '../../composition/storage';
import { readDatabaseUrl } from '../../composition/startup/database-url';
import { createLog } from '../../composition/startup/log';
import type { AdminCommand, AdminResult } from '../../projects/admin-commands';
import { DataDirectoryLock, DirectoryInUseError } from '../../store/directory/data-directory';
import { administer } from '../../client/service-record';
import type { RunningService } from '../connection/running-service';

/** Time limit for a holder to finish its start, its stop or another command. */
const TIMEOUT_MS = 10_000;

/** A data directory, and the URL of the database that replaces its files. */
interface AdministeredStorage {
  dataDir: string;
  database: string | undefined;
}

/**
 * Runs a command on a data directory: in the service that holds it, else in this process.
 * @throws ApiError of the command; DirectoryInUseError if the holder still has no address after the time limit
 */
export async function runAdminCommand<Name extends AdminCommand>(
  storage: AdministeredStorage,
  name: Name,
  input: Record<string, unknown>,
): Promise<AdminResult[Name]> {
  const { dataDir } = storage;
  const lock = await acquireOrFind(dataDir);
  if (!(lock instanceof DataDirectoryLock)) {
    return (await administer(lock, name, input)) as AdminResult[Name];
  }
  try {
    return await runHere(storage, name, input);
  } finally {
    await lock.release();
  }
}

/**
 * Returns the lock, or the service that holds it. Waits for a holder without an address: a service that starts or stops, or another
 * command.
 */
async function acquireOrFind(dataDir: string): Promise<DataDirectoryLock | RunningService> {
  const first = await look(dataDir);
  if (!(first instanceof DirectoryInUseError)) return first;
  const watcher = watch(dataDir);
  const signal = timeoutSignal(TIMEOUT_MS);
  try {
    for (;;) {
      const change = once(watcher, 'change', { signal }); // registered before the check, so that no change is missed
      change.catch(() => undefined);
      const found = await look(dataDir);
      if (!(found instanceof DirectoryInUseError)) return found;
      await change.catch(() => {
        throw found;
      });
    }
  } finally {
    watcher.close();
  }
}

async function look(
  dataDir: string,
): Promise<DataDirectoryLock | RunningService | DirectoryInUseError> {
  try {
    return await DataDirectoryLock.acquire(dataDir);
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error;
    const { url, adminToken } = error.record;
    return url === null ? error : { url, adminToken };
  }
}

async function runHere<Name extends AdminCommand>(
  { dataDir, database }: AdministeredStorage,
  name: Name,
  input: Record<string, unknown>,
): Promise<AdminResult[Name]> {
  const clock = (): Date => new Date();
  const log = createLog('warn');
  const storage = await openStorage({
    dataDir,
    clock,
    log,
    database: readDatabaseUrl(database),
  });
  const { admin } = createAccountServices({
    storage,
    warn: log.warn.bind(log),
    projectLimit: 0, // no command creates projects beyond the first
    clock,
    deleteForksOf: () => Promise.resolve(), // no command deletes projects
    addressesRenewed: () => Promise.resolve(), // no fork runs
  });
  try {
    return await admin.run(name, input);
  } finally {
    await storage.close();
  }
}
