import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { parseGivenAbi, parseLabels } from '../../store/user-supplied/records';
import { JournalFiles } from '../../store/journal/journal-folder';
import { Generations } from '../../kernel/files/file-generations';
import { checked, readIfThere, reasonOf } from '../../kernel/files/recoverable-file';
import { parseStore, type StoreData } from '../../store/accounts/schema';

/** The result of checking one file of a data directory. */
export interface StoreFinding {
  /** Path relative to the data directory. */
  file: string;
  status: 'ok' | 'warning' | 'damaged';
  message: string;
}

/** A file with users' data, and the parser that checks its text. */
export interface DataFile {
  path: string;
  /** Part of the file's checksum. */
  name: string;
  parse: (text: string) => unknown;
}

/** Checks all files of a data directory that contain users' data, without changing them. Skips caches. */
export async function checkStore(dataDir: string): Promise<StoreFinding[]> {
  const path = join(dataDir, 'store.json');
  const text = await readIfThere(path);
  const { finding, data } = checkStoreText(text);
  return [
    finding,
    await checkGenerations(path),
    ...(await checkJournals(dataDir, data)),
    ...(await checkDataFiles(dataDir)),
  ];
}

function checkStoreText(text: string | undefined): { finding: StoreFinding; data?: StoreData } {
  const file = 'store.json';
  if (text === undefined) {
    return { finding: { file, status: 'warning', message: 'the file does not exist' } };
  }
  try {
    const data = checked(file, parseStore)(text);
    const counts = (['users', 'keys', 'projects', 'forks'] as const).map(
      (kind) => `${Object.keys(data[kind]).length} ${kind}`,
    );
    return { finding: { file, status: 'ok', message: counts.join(', ') }, data };
  } catch (error) {
    return { finding: { file, status: 'damaged', message: reasonOf(error) } };
  }
}

async function checkGenerations(path: string): Promise<StoreFinding> {
  const file = 'generations';
  const generations = await new Generations(path).newestFirst();
  let good = 0;
  let count = 0;
  for (const generation of generations) {
    const text = await generation.read().catch(unlessMissing);
    // A running service removes old copies.
    if (text === undefined) continue;
    count++;
    if (isGood(checked('store.json', parseStore), text)) good++;
  }
  const message = `${good} of ${count} copies of store.json are good`;
  return { file, status: good === 0 ? 'warning' : 'ok', message };
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

async function checkJournals(
  dataDir: string,
  data: StoreData | undefined,
): Promise<StoreFinding[]> {
  const journals = new JournalFiles(join(dataDir, 'forks'), () => undefined);
  const names = await readdir(join(dataDir, 'forks')).catch(() => []);
  const known = Object.keys(data?.forks ?? {});
  const found = names.flatMap((name) => /^(.+)\.journal$/.exec(name)?.[1] ?? []);
  const findings: StoreFinding[] = [];
  for (const forkId of new Set([...known, ...found])) {
    const file = `forks/${forkId}.journal`;
    const problem = await journals.check(forkId).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    if (problem !== undefined) findings.push({ file, status: 'damaged', message: problem });
    else if (data && !known.includes(forkId)) {
      findings.push({ file, status: 'warning', message: 'no fork has this journal' });
    } else findings.push({ file, status: 'ok', message: 'whole' });
  }
  return findings;
}

async function checkDataFiles(dataDir: string): Promise<StoreFinding[]> {
  const findings: StoreFinding[] = [];
  for (const { path, name, parse } of await dataFiles(dataDir)) {
    const file = relative(dataDir, path);
    const text = await readIfThere(path);
    if (text === undefined) continue;
    const problem = problemOf(checked(name, parse), text);
    findings.push(
      problem === undefined
        ? { file, status: 'ok', message: 'whole' }
        : { file, status: 'damaged', message: problem },
    );
  }
  return findings;
}

/** Files with labels and ABIs that users set. */
export async function dataFiles(dataDir: string): Promise<DataFile[]> {
  const kinds = [
    { folder: join(dataDir, 'labels'), parse: parseLabels },
    { folder: join(dataDir, 'abis'), parse: parseGivenAbi },
  ];
  const files: DataFile[] = [];
  for (const { folder, parse } of kinds) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
      const path = join(entry.parentPath, entry.name);
      files.push({ path, name: relative(folder, path).split(sep).join('/'), parse });
    }
  }
  return files;
}

const isGood = (parse: (text: string) => unknown, text: string): boolean =>
  problemOf(parse, text) === undefined;

function problemOf(parse: (text: string) => unknown, text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
