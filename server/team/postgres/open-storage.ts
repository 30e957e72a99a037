import { randomBytes } from 'node:crypto';
import { AuditRows } from './audit-rows';
import { PostgresRecords } from './account-records';
import { LeaseKeeper } from '../cluster/lease-keeper';
import { Database, type Connections } from './database/database';
import { EventRows } from './event-rows';
import { FilterRows } from './filter-rows';
import { ForkLocations } from './fork-locations';
import { PostgresForkStore } from './fork-store';
import { PostgresGivenAbis, PostgresLabels } from './given-store';
import { PostgresJournalStore } from './journals/postgres-journal-store';
import { PostgresKeyStore } from './key-store';
import { LeaseRows } from './lease-rows';
import { clusterSecret, NodeRows, type OwnNode } from './node-rows';
import { QuotaRows } from './quota-rows';
import { PostgresProjectStore } from './project-store';
import { PostgresUsageStore } from './usage-store';
import { PostgresUserStore } from './user-store';

export interface PostgresStorageOptions {
  /** `postgres://…`. A secret. */
  url: string;
  /** Most connections at a time. */
  maxConnections: number;
  /** Identifies this process among all that use the database. A process that replaces an ended one may have its id. */
  node: OwnNode;
  /** Duration of the leases of forks. */
  leaseSeconds: number;
  log: { warn: (facts: object, message: string) => void };
}

/** The stores of a database, and its connections. */
export interface PostgresStorage {
  users: PostgresUserStore;
  keys: PostgresKeyStore;
  projects: PostgresProjectStore;
  usage: PostgresUsageStore;
  forks: PostgresForkStore;
  audit: AuditRows;
  journals: PostgresJournalStore;
  abis: PostgresGivenAbis;
  labels: PostgresLabels;
  records: PostgresRecords;
  cluster: {
    nodeId: string;
    secret: string;
    leases: LeaseKeeper;
    nodes: NodeRows;
    events: EventRows;
    locations: ForkLocations;
    quotas: QuotaRows;
    /** The filters of a fork. */
    filtersOf: (forkId: string) => FilterRows;
  };
  /** Connections in use and not, and statements that wait for one. */
  connections: () => Connections;
  /** Resolves when the database has answered. @throws ApiError databaseUnavailable */
  ping: () => Promise<void>;
  /** Settles when all changes are committed and all connections are closed. */
  close(): Promise<void>;
}

/**
 * Opens the database. The entry of a bundle of its own, which is loaded if a database is configured.
 * @throws Error with a message for the user, without the URL
 */
export async function openPostgresStorage({
  url,
  maxConnections,
  node,
  leaseSeconds,
  log,
}: PostgresStorageOptions): Promise<PostgresStorage> {
  const database = await Database.open({ url, maxConnections });
  // A lease must not run out because all connections are in use.
  const leaseDatabase = Database.beside({ url, maxConnections: 1 });
  const { nodeId } = node;
  const leases = new LeaseKeeper({
    table: new LeaseRows(leaseDatabase, nodeId, leaseSeconds),
    leaseSeconds,
    now: () => performance.now(),
    onRenewalFailed: (error) => {
      log.warn({ err: error }, 'the leases of the forks could not be renewed');
    },
  });
  const secret = await clusterSecret(database, randomBytes(32).toString('hex'));
  const usage = new PostgresUsageStore(database);
  const quotas = new QuotaRows({ database, nodeId, leaseSeconds, now: () => performance.now() });
  const warn = log.warn.bind(log);
  return {
    users: new PostgresUserStore(database),
    keys: new PostgresKeyStore(database),
    projects: new PostgresProjectStore(database),
    usage,
    audit: new AuditRows(database),
    forks: new PostgresForkStore(database),
    journals: new PostgresJournalStore({ database, nodeId, leases, warn }),
    abis: new PostgresGivenAbis(database, log),
    labels: new PostgresLabels(database),
    records: new PostgresRecords(database),
    cluster: {
      nodeId,
      secret,
      leases,
      nodes: new NodeRows(leaseDatabase, node),
      events: new EventRows(database),
      locations: new ForkLocations(database, nodeId),
      quotas,
      filtersOf: (forkId) => new FilterRows(database, nodeId, forkId),
    },
    connections: () => sumOf(database.connections, leaseDatabase.connections),
    ping: () => database.ping(),
    close: async () => {
      leases.close();
      try {
        await quotas.close();
        await usage.settled();
      } finally {
        await Promise.all([leaseDatabase.close(), database.close()]);
      }
    },
  };
}

const sumOf = (one: Connections, other: Connections): Connections => ({
  used: one.used + other.used,
  idle: one.idle + other.idle,
  waiting: one.waiting + other.waiting,
});
