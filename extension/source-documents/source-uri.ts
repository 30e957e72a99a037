import type { RecordedContract } from '../../server/api/recording';

/** Scheme of source files that are not on the disk. */
export const SOURCE_SCHEME = 'forklens-source';

/** Whose source a file is: a code of a recording, or the code of an account after a block. */
export type SourceOwner =
  | { kind: 'recording'; chain: string; transaction: string; contract: number }
  | { kind: 'account'; chain: string; address: string; block: number };

/** Path of a file of a recording: `/<chain>/<transaction>/<index of the code>-<contract>/<name of the file as compiled>`. */
export function recordedSourcePath(
  { chain, transaction }: { chain: string; transaction: string },
  contracts: readonly Pick<RecordedContract, 'name'>[],
  { contract, file }: { contract: number; file: string },
): string {
  const name = contracts[contract]?.name.replace(/[^\w$]/g, '_') ?? '';
  return ['', chain, transaction, `${contract}-${name}`, ...segments(file)].join('/');
}

/** Path of a file of an account: `/<chain>/<address>@<block>/<name of the file as compiled>`. */
export const accountSourcePath = (
  { chain, address, block }: { chain: string; address: string; block: number },
  file: string,
): string => ['', chain, `${address}@${block}`, ...segments(file)].join('/');

/** The parts of a path; undefined for one that has neither form. */
export function readSourcePath(path: string): { owner: SourceOwner; path: string } | undefined {
  const [, chain, id = '', more = ''] =
    /^\/([a-z0-9][a-z0-9._-]{0,63})\/(0x[0-9a-f]{40,64}(?:@[0-9]{1,15})?)(?:\/(.*))?$/.exec(path) ??
    [];
  if (chain === undefined) return undefined;
  const [, address, block] = /^(0x[0-9a-f]{40})@([0-9]+)$/.exec(id) ?? [];
  if (address !== undefined) {
    return { owner: { kind: 'account', chain, address, block: Number(block) }, path: more };
  }
  const [, index, rest = ''] = /^([0-9]{1,6})-[\w$]*(?:\/(.*))?$/.exec(more) ?? [];
  if (index === undefined || id.length !== 66) return undefined;
  const contract = Number(index);
  return { owner: { kind: 'recording', chain, transaction: id, contract }, path: rest };
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
