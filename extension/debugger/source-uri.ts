import type { RecordedContract } from '../../server/api/recording';
import type { RecordedFile } from './adapter/sources';

/** Scheme of source files that are not on the disk. */
export const SOURCE_SCHEME = 'forklens-source';

/** A recording, as its routes name it. */
export interface RecordingKey {
  chain: string;
  transaction: string;
}

/** Path of a file: `/<chain>/<transaction>/<index of the code>-<contract>/<name of the file as compiled>`. */
export function sourcePath(
  { chain, transaction }: RecordingKey,
  contracts: readonly Pick<RecordedContract, 'name'>[],
  { contract, file }: RecordedFile,
): string {
  const name = contracts[contract]?.name.replace(/[^\w$]/g, '_') ?? '';
  return ['', chain, transaction, `${contract}-${name}`, ...segments(file)].join('/');
}

/** The parts of a path; undefined for one that has not that form. */
export function readSourcePath(
  path: string,
): { recording: RecordingKey; contract: number; path: string } | undefined {
  const [, chain, transaction, index, rest = ''] =
    /^\/([a-z0-9][a-z0-9._-]{0,63})\/(0x[0-9a-f]{64})\/([0-9]{1,6})-[\w$]*(?:\/(.*))?$/.exec(
      path,
    ) ?? [];
  if (chain === undefined || transaction === undefined) return undefined;
  return { recording: { chain, transaction }, contract: Number(index), path: rest };
}

/** Files of a code by their path inside its folder. Names come from strangers: `..` leads nowhere. */
export function filesByPath(files: readonly string[]): Map<string, string> {
  const byPath = new Map<string, string>();
  for (const file of files) {
    const path = segments(file).join('/');
    if (!byPath.has(path)) byPath.set(path, file);
  }
  return byPath;
}

/** Names in a folder, with whether each is a folder itself; undefined where there is no such folder. */
export function entriesOf(
  paths: Iterable<string>,
  folder: string,
): Map<string, boolean> | undefined {
  const prefix = folder === '' ? '' : `${folder.replace(/\/$/, '')}/`;
  const entries = new Map<string, boolean>();
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...deeper] = path.slice(prefix.length).split('/');
    entries.set(name, deeper.length > 0 || entries.get(name) === true);
  }
  return entries.size === 0 ? undefined : entries;
}

const segments = (file: string): string[] =>
  file
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .map((part) => (/^\.+$/.test(part) ? '_' : part));
