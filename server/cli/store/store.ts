import type { Command } from 'commander';
import { resolve } from 'node:path';
import { DataDirectoryLock } from '../../store/data-directory';
import { formatTable } from '../table';
import { backUp, restore } from './backup';
import { checkStore } from './check';
import { repairStore } from './repair';

/** Registers `store`: checks and mends what is kept on disk. Only `check` works while a service runs. */
export function registerStore(program: Command): void {
  const options = (): { dataDir: string; json?: true } => program.opts();
  const print = (result: unknown, text: string): void => {
    console.log(options().json ? JSON.stringify(result, null, 2) : text);
  };
  /** @throws DirectoryInUseError */
  const locked = async <T>(task: (dataDir: string) => Promise<T>): Promise<T> => {
    const { dataDir } = options();
    const lock = await DataDirectoryLock.acquire(dataDir);
    try {
      return await task(dataDir);
    } finally {
      await lock.release();
    }
  };

  const store = program
    .command('store')
    .description('what is kept on disk: users, keys, projects, forks, labels, ABIs');
  store
    .command('check')
    .description('look for damage; exit code 1 where there is some')
    .action(async () => {
      const findings = await checkStore(options().dataDir);
      const rows = findings.map(({ file, status, message }) => [file, status, message]);
      print(findings, formatTable(['file', 'status', ''], rows));
      if (findings.some(({ status }) => status === 'damaged')) process.exitCode = 1;
    });
  store
    .command('repair')
    .description('mend what is damaged, from copies where there are some; damaged files are kept')
    .option('--empty', 'begin with an empty store where nothing of the damaged one can be read')
    .action(async ({ empty = false }: { empty?: boolean }) => {
      const done = await locked((dataDir) => repairStore(dataDir, { now: new Date(), empty }));
      print(done, done.length === 0 ? 'Nothing is damaged.' : done.join('\n'));
    });
  store
    .command('backup')
    .description('copy the data of the service to a folder')
    .argument('<folder>', 'empty, or not there yet')
    .action(async (folder: string) => {
      const target = resolve(folder);
      const parts = await locked((dataDir) => backUp(dataDir, target));
      print({ folder: target, parts }, `Copied ${parts.join(', ')} to ${target}.`);
    });
  store
    .command('restore')
    .description('replace the data with a backup; the current data is set aside')
    .argument('<folder>', 'of a backup')
    .action(async (folder: string) => {
      const source = resolve(folder);
      const setAside = await locked((dataDir) => restore(dataDir, source, new Date()));
      const was = setAside === undefined ? '' : ` What was there is in ${setAside}.`;
      print({ folder: source, setAside: setAside ?? null }, `Restored ${source}.${was}`);
    });
}
