import { resolve } from 'node:path';
import { DataDirectoryLock } from '../../store/directory/data-directory';
import { readDatabaseUrl } from '../../composition/startup/database-url';
import type { Context, Handlers } from '../command-handlers/context';
import { UsageError } from '../errors/usage-error';
import { backUp, restore } from './backup';
import { checkStore } from './check';
import { checkDatabase } from './check-database';
import { copyCommand } from './copy-command';
import { repairStore } from './repair';

/** Commands that check, copy and repair the stored data. Only `check` works while a service is running. */
export const storeCommands: Handlers<
  'store check' | 'store copy' | 'store repair' | 'store backup' | 'store restore'
> = {
  'store check': async (_input, { globals, out }) => {
    const database = readDatabaseUrl(globals.database);
    const findings = await (database === undefined
      ? checkStore(globals.dataDir)
      : checkDatabase(database));
    const rows = findings.map(({ file, status, message }) => [file, status, message]);
    const table = { columns: ['FILE', 'STATUS', ''], rows };
    out.list(
      findings,
      table,
      { quiet: false, format: 'table' },
      'The data directory has no data yet.',
    );
    if (findings.some(({ status }) => status === 'damaged')) process.exitCode = 1;
  },

  'store copy': copyCommand,

  'store repair': async ({ empty }, { globals, out }) => {
    const dataDir = ofFiles(globals);
    const done = await locked(dataDir, () => repairStore(dataDir, { now: new Date(), empty }));
    out.result(done, done.length === 0 ? 'Nothing is damaged.' : done.join('\n'));
  },

  'store backup': async ({ folder }, { globals, out }) => {
    const dataDir = ofFiles(globals);
    const target = resolve(folder);
    const parts = await locked(dataDir, () => backUp(dataDir, target));
    out.result({ folder: target, parts }, `Copied ${parts.join(', ')} to ${target}.`);
  },

  'store restore': async ({ folder }, { globals, out }) => {
    const dataDir = ofFiles(globals);
    const source = resolve(folder);
    const setAside = await locked(dataDir, () => restore(dataDir, source, new Date()));
    const was = setAside === undefined ? '' : ` The previous data is in ${setAside}.`;
    out.result({ folder: source, setAside: setAside ?? null }, `Restored ${source}.${was}`);
  },
};

/** The data directory. @throws UsageError if a database has the data */
function ofFiles({ dataDir, database }: Context['globals']): string {
  if (!database) return dataDir;
  throw new UsageError(
    'the data is in the database: back it up and restore it by its own tools (pg_dump --schema=forklens), or copy it by store copy',
  );
}

/** @throws DirectoryInUseError */
async function locked<T>(dataDir: string, task: () => Promise<T>): Promise<T> {
  const lock = await DataDirectoryLock.acquire(dataDir);
  try {
    return await task();
  } finally {
    await lock.release();
  }
}
