import { openStorage, type Storage } from '../../composition/storage';
import { wholeEntry } from '../../forks/writes/journal';
import { createLog } from '../../composition/startup/log';
import type { StoreFinding } from './check';

/** Reads all data of a database: a damaged journal is a finding. Works while services use it. @param url a secret */
export async function checkDatabase(url: string): Promise<StoreFinding[]> {
  const storage = await openStorage({
    dataDir: undefined,
    database: url,
    clock: () => new Date(),
    log: createLog('error'),
  });
  try {
    const records = await storage.records.readAll();
    const counts = (['users', 'keys', 'projects', 'forks'] as const).map(
      (kind) => `${Object.keys(records[kind]).length} ${kind}`,
    );
    const findings: StoreFinding[] = [
      { file: 'database', status: 'ok', message: counts.join(', ') },
    ];
    for (const forkId of Object.keys(records.forks)) {
      const problem = await readJournal(storage, forkId);
      findings.push(
        problem === undefined
          ? { file: `journal of ${forkId}`, status: 'ok', message: 'whole' }
          : { file: `journal of ${forkId}`, status: 'damaged', message: problem },
      );
    }
    return findings;
  } finally {
    await storage.close();
  }
}

/** @returns what is wrong with it */
async function readJournal({ journals }: Storage, forkId: string): Promise<string | undefined> {
  try {
    const { contents, close } = await journals.read(forkId);
    try {
      for (const entry of contents.entries) await wholeEntry(entry);
    } finally {
      await close();
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
