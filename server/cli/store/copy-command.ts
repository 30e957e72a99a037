import { resolve } from 'node:path';
import { openStorage, type Storage } from '../../composition/storage';
import { readDatabaseUrl } from '../../composition/startup/database-url';
import { createLog } from '../../composition/startup/log';
import { DataDirectoryLock } from '../../store/directory/data-directory';
import { dataParts } from '../../store/directory/data-parts';
import type { Handler } from '../command-handlers/context';
import { UsageError } from '../errors/usage-error';
import { copyStorage } from './copy';

/** Names the database of --database, so that its URL is in no argument. */
const DATABASE = 'database';
const IS_URL = /^[a-z]+:\/\//i;

/** Copies a whole installation between a data directory and a database. */
export const copyCommand: Handler<'store copy'> = async ({ from, to }, { globals, out }) => {
  const source = placeOf(from, globals.database, '--from');
  const target = placeOf(to, globals.database, '--to');
  if (source.database === undefined && source.dataDir === target.dataDir) {
    throw new UsageError('--to names the same folder as --from; accepted: another one');
  }
  if (source.dataDir !== undefined && !(await dataParts(source.dataDir)).includes('store.json')) {
    throw new UsageError(`there is no store.json in ${source.dataDir}`);
  }
  const digests = await withStorage(source, (one) =>
    withStorage(target, (other) => copyStorage(one, other)),
  );
  const counts = Object.entries(digests).map(([kind, { count }]) => `${count} ${kind}`);
  out.result(digests, `Copied ${counts.join(', ')}. Counts and checksums are the same.`);
};

interface Place {
  /** Undefined for a database. */
  dataDir?: string;
  database?: string | undefined;
}

/** @throws UsageError that does not contain the URL of a database */
function placeOf(given: string, configured: string | undefined, option: string): Place {
  if (given === DATABASE) {
    const database = readDatabaseUrl(configured);
    if (database !== undefined) return { database };
    throw new UsageError(
      `${option} is "${DATABASE}", and neither --database nor FORKLENS_DATABASE_URL is given`,
    );
  }
  return IS_URL.test(given)
    ? { database: readDatabaseUrl(given) }
    : { dataDir: resolve(given.replace(/^~(?=$|[/\\])/, process.env['HOME'] ?? '~')) };
}

/** @throws DirectoryInUseError for a data directory that a service uses */
async function withStorage<T>(
  { dataDir, database }: Place,
  task: (storage: Storage) => Promise<T>,
): Promise<T> {
  const open = async (): Promise<T> => {
    const clock = (): Date => new Date();
    const storage = await openStorage({ dataDir, database, clock, log: createLog('warn') });
    try {
      return await task(storage);
    } finally {
      await storage.close();
    }
  };
  if (dataDir === undefined) return open();
  const lock = await DataDirectoryLock.acquire(dataDir);
  try {
    return await open();
  } finally {
    await lock.release();
  }
}
