import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ForkStore, JournalStore } from '../forks/ports';
import type { AccessKeyStore, Clock, ProjectStore, UsageStore, UserStore } from '../projects/ports';
import { JsonAccountStore } from '../store/accounts/json-account-store';
import { JsonForkStore } from '../store/accounts/json-fork-store';
import { JsonStore } from '../store/accounts/json-store';
import { ensureNodeId } from '../store/directory/node-id';
import { GivenAbiFiles } from '../store/given/abi-files';
import { LabelFiles } from '../store/given/label-files';
import type { GivenAbiStore, LabelStore } from '../store/given/records';
import { JournalFiles } from '../store/journal/journal-folder';

const POSTGRES = { maxConnections: 10, leaseSeconds: 10 };

/** Everything that the service keeps and that cannot be regenerated. */
export interface Storage {
  users: UserStore & AccessKeyStore;
  projects: ProjectStore;
  usage: UsageStore;
  forks: ForkStore;
  journals: JournalStore;
  abis: GivenAbiStore;
  labels: LabelStore;
  /** Settles when all changes are durable. */
  close(): Promise<void>;
}

export interface StorageOptions {
  dataDir: string;
  /** URL of a PostgreSQL database, a secret. Undefined: the files of the data directory. */
  database: string | undefined;
  clock: Clock;
  log: Logger;
}

/**
 * Opens the storage. The caller must hold the lock of the data directory.
 * @throws Error with a message for the user
 */
export function openStorage({ database, ...options }: StorageOptions): Promise<Storage> {
  return database === undefined ? openFiles(options) : openDatabase(database, options);
}

async function openDatabase(
  url: string,
  { dataDir, log }: Omit<StorageOptions, 'database'>,
): Promise<Storage> {
  const [{ openPostgresStorage }, nodeId] = await Promise.all([
    import('../store/postgres/open-storage'),
    ensureNodeId(dataDir),
  ]);
  return openPostgresStorage({ url, nodeId, log, ...POSTGRES });
}

async function openFiles({
  dataDir,
  clock,
  log,
}: Omit<StorageOptions, 'database'>): Promise<Storage> {
  const store = await JsonStore.open(dataDir, clock, (facts, text) => {
    log.error(facts, text);
  });
  const accounts = new JsonAccountStore(store);
  return {
    ...{ users: accounts, projects: accounts, usage: accounts },
    forks: new JsonForkStore(store),
    journals: new JournalFiles(join(dataDir, 'forks'), log.warn.bind(log)),
    abis: new GivenAbiFiles(join(dataDir, 'abis'), log),
    labels: new LabelFiles(join(dataDir, 'labels'), log),
    close: () => store.settled(),
  };
}
