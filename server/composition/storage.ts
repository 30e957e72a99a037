import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { EventTable } from '../team/cluster/event-relay';
import type { LeaseKeeper } from '../team/cluster/lease-keeper';
import type { NodeTable } from '../team/cluster/node-registry';
import type { QuotaLedger } from '../projects/quota-ledger';
import type { ForkStore, JournalStore, SharedForks } from '../forks/life/ports';
import type {
  AccessKeyStore,
  AuditStore,
  Clock,
  ProjectStore,
  UsageStore,
  UserStore,
} from '../projects/ports';
import { JsonAccountStore } from '../store/accounts/json-account-store';
import { JsonForkStore } from '../store/accounts/json-fork-store';
import { JsonRecords } from '../store/accounts/json-records';
import { JsonStore } from '../store/accounts/json-store';
import type { StoreData } from '../store/accounts/schema';
import { AuditFiles } from '../store/audit/audit-files';
import { dataParts } from '../store/directory/data-parts';
import { ensureNodeId } from '../store/directory/node-id';
import { GivenAbiFiles } from '../store/user-supplied/abi-files';
import { LabelFiles } from '../store/user-supplied/label-files';
import type { GivenAbiStore, LabelStore } from '../store/user-supplied/records';
import { JournalFiles } from '../store/journal/journal-folder';

/** Most connections to a database at a time. */
const MAX_CONNECTIONS = 10;
const LEASE_SECONDS = 10;

/** Everything that the service keeps and that cannot be regenerated. */
export interface Storage {
  users: UserStore;
  keys: AccessKeyStore;
  projects: ProjectStore;
  usage: UsageStore;
  audit: AuditStore;
  forks: ForkStore;
  journals: JournalStore;
  abis: GivenAbiStore;
  labels: LabelStore;
  /** All users, keys, projects, fork records and counters at once, for copies of a whole installation. */
  records: {
    /** Whether the storage has no data at all. */
    isEmpty(): Promise<boolean>;
    readAll(): Promise<StoreData>;
    writeAll(data: StoreData): Promise<void>;
  };
  /** What nodes on one database share; undefined for files. */
  cluster?: ClusterStorage;
  /** Connections to the database, and statements that wait for one; undefined for files. */
  connections?: () => { used: number; idle: number; waiting: number };
  /** Resolves when the database has answered; undefined for files. @throws ApiError databaseUnavailable */
  ping?: () => Promise<void>;
  /** Settles when all changes are durable. */
  close(): Promise<void>;
}

export interface ClusterStorage {
  nodeId: string;
  /** By which nodes recognize each other. */
  secret: string;
  leases: LeaseKeeper;
  nodes: NodeTable;
  events: EventTable;
  locations: Pick<SharedForks, 'find' | 'list' | 'movedAway'>;
  filtersOf: SharedForks['filtersOf'];
  quotas: QuotaLedger;
}

export interface StorageOptions {
  /** Undefined only with a database: the storage then has no id that a later one could have. */
  dataDir: string | undefined;
  /** URL of a PostgreSQL database, a secret. Undefined: the files of the data directory. */
  database: string | undefined;
  /** Duration of the leases of forks, with a database. Default: 10. */
  leaseSeconds?: number;
  /** What other nodes know about this one, with a database. */
  node?: { url: string | undefined; capacity: number; version: string };
  clock: Clock;
  log: Logger;
}

/**
 * Opens the storage. The caller must hold the lock of the data directory.
 * @throws Error with a message for the user
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { database, dataDir } = options;
  if (database !== undefined) return openDatabase(database, options);
  if (dataDir === undefined) throw new Error('a storage needs a data directory or a database');
  return openFiles(dataDir, options);
}

async function openDatabase(
  url: string,
  { dataDir, leaseSeconds = LEASE_SECONDS, node, log }: StorageOptions,
): Promise<Storage> {
  const [{ openPostgresStorage }, nodeId] = await Promise.all([
    import('../team/postgres/open-storage'),
    dataDir === undefined ? randomUUID() : ensureNodeId(dataDir),
  ]);
  const { url: nodeUrl, capacity = 1, version = '' } = node ?? {};
  return openPostgresStorage({
    url,
    leaseSeconds,
    maxConnections: MAX_CONNECTIONS,
    log,
    node: { nodeId, url: nodeUrl ?? null, capacity, version },
  });
}

async function openFiles(dataDir: string, { clock, log }: StorageOptions): Promise<Storage> {
  const store = await JsonStore.open(dataDir, clock, (facts, text) => {
    log.error(facts, text);
  });
  const accounts = new JsonAccountStore(store, clock);
  const audit = new AuditFiles(join(dataDir, 'audit'));
  return {
    users: accounts,
    keys: accounts,
    projects: accounts,
    usage: accounts,
    audit,
    forks: new JsonForkStore(store),
    journals: new JournalFiles(join(dataDir, 'forks'), log.warn.bind(log)),
    abis: new GivenAbiFiles(join(dataDir, 'abis'), log),
    labels: new LabelFiles(join(dataDir, 'labels'), log),
    records: new JsonRecords(store, async () => (await dataParts(dataDir)).length === 0),
    close: async () => {
      await audit.settled();
      await store.settled();
    },
  };
}
