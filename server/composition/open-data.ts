import type { Logger } from 'pino';
import { AuditSinks } from '../store/audit/audit-sinks';
import { ensureAccessKeyFile } from '../store/directory/access-key-file';
import { DataDirectoryLock } from '../store/directory/data-directory';
import { createAccounts, type Accounts } from './account-services';
import type { Options } from './startup/options';
import { VERSION } from './startup/version';
import type { Stops } from './stops';
import { openStorage, type Storage } from './storage';

/** What is kept: the first stage of a start. */
export interface OpenData {
  lock: DataDirectoryLock;
  storage: Storage;
  accounts: Accounts;
}

/** @throws DirectoryInUseError, UnusableDirectoryError, and Error with a message for the user */
export async function openData(options: Options, log: Logger, stops: Stops): Promise<OpenData> {
  const { dataDir, config } = options;
  const lock = await DataDirectoryLock.acquire(dataDir);
  stops.add(() => lock.release());
  const storage = await openStorage({
    dataDir,
    database: options.database,
    leaseSeconds: options.leaseSeconds,
    node: { url: options.nodeUrl, capacity: config.engine.maxRunning, version: VERSION },
    clock: () => new Date(),
    log,
  });
  stops.add(() => storage.close());
  const warn = log.warn.bind(log);
  const auditSink = new AuditSinks(config.audit, warn);
  stops.add(() => auditSink.close());
  const accounts = createAccounts({ storage, auditSink, warn, clock: () => new Date() });
  stops.add(() => accounts.keys.settled());
  if (options.localUser)
    await ensureAccessKeyFile(dataDir, accounts.localUser, storage.cluster?.nodeId);
  return { lock, storage, accounts };
}
