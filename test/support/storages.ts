import { pino } from 'pino';
import { openStorage, type Storage } from '../../server/composition/storage';
import { PostgresCluster } from './postgres';
import { describeWith } from './programs';
import { sharedPostgres } from './shared/postgres';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

/** A storage of a test, which can be closed and opened again. */
export interface TestStorage {
  /** Opens it, or opens it once more after it was closed. */
  open(): Promise<Storage>;
}

/** Runs a suite on files and on a database: both behave alike. Each test has an empty storage. */
export function describeStorages(title: string, suite: (storage: TestStorage) => void): void {
  describe(`${title}: files`, () => {
    suite(useStorage(() => Promise.resolve(undefined)));
  });
  describeWith(['initdb'], `${title}: PostgreSQL`, () => {
    const cluster = usePostgres();
    suite(useStorage(async () => cluster().urlOf(await cluster().createDatabase())));
  });
}

/** A cluster for the tests of a suite, which others use as well: each test has a database of its own. */
export function usePostgres(): () => PostgresCluster {
  let cluster: Awaited<ReturnType<typeof sharedPostgres>> | undefined;
  before(async function () {
    this.timeout(60_000); // the first one starts the cluster
    cluster = await sharedPostgres();
  });
  after(() => cluster?.release());
  return () => cluster!.cluster;
}

/** A cluster for tests that stop it. */
export function useOwnPostgres(): () => PostgresCluster {
  let cluster: PostgresCluster | undefined;
  before(async function () {
    this.timeout(60_000);
    cluster = await PostgresCluster.start();
  });
  after(() => cluster?.close());
  return () => cluster!;
}

function useStorage(newDatabase: () => Promise<string | undefined>): TestStorage {
  let dataDir: string;
  let database: string | undefined;
  const opened: Storage[] = [];
  beforeEach(async () => {
    dataDir = await makeTemporaryDirectory();
    database = await newDatabase();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((storage) => storage.close()));
    await removeDirectory(dataDir);
  });
  return {
    open: async () => {
      await Promise.all(opened.splice(0).map((storage) => storage.close()));
      const storage = await openStorage({
        dataDir,
        database,
        clock: () => new Date(),
        log: pino({ enabled: false }),
      });
      opened.push(storage);
      return storage;
    },
  };
}
