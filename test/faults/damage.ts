import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Below = (limit: number) => number;

/** Kinds of files in a data directory, each with the pattern of its paths. */
export const KINDS: readonly (readonly [string, RegExp])[] = [
  ['store.json', /^store\.json$/],
  ['copy of store.json', /^generations\/store\.json\./],
  ['journal of a fork', /^forks\/.*\.journal$/],
  ['labels', /^labels\/[^/]+\.json$/],
  ['copy of labels', /^labels\/generations\//],
  ['ABI', /^abis\/.*0x[^/]+\.json$/],
  ['copy of an ABI', /^abis\/.*\/generations\//],
  ['access-key', /^access-key$/],
  ['last-port', /^last-port$/],
  ['service.json', /^service\.json$/],
  ['anchor of a chain', /^cache\/[^/]+\/anchor$/],
  ['answers of a chain', /^cache\/(?!traces\/)[^/]+\/[^/]+$/],
  ['trace', /^cache\/traces\//],
  ['inputs of a recording', /^recording-cache\//],
  ['signatures', /^abi-cache\//],
  ['audit log', /^audit\/audit\.jsonl$/],
];

/** Written by users, here by the test itself. */
const NOT_OURS = ['config.json'];

export interface Damage {
  name: string;
  /** @param other content of another file, of the same kind if there is one */
  of: (bytes: Buffer, other: Buffer, below: Below) => Buffer | undefined;
}

export const allDamages = (): readonly Damage[] => [
  { name: 'missing', of: () => undefined },
  { name: 'empty', of: () => Buffer.alloc(0) },
  { name: 'truncated', of: (bytes, _, below) => bytes.subarray(0, below(bytes.length)) },
  {
    name: 'a bit flipped',
    of: (bytes, _, below) => {
      const flipped = Buffer.from(bytes);
      flipped[below(bytes.length)]! ^= 1 << below(8);
      return flipped;
    },
  },
  {
    name: 'a page of zeros',
    of: (bytes, _, below) => {
      const from = below(bytes.length);
      return Buffer.from(bytes).fill(0, from, Math.min(from + 4096, bytes.length));
    },
  },
  { name: 'all zeros', of: (bytes) => Buffer.alloc(bytes.length) },
  { name: 'swapped', of: (_, other) => Buffer.from(other) },
];

/** Paths in a data directory by kind. @throws Error for a file of an unknown kind */
export async function filesByKind(dataDir: string): Promise<Map<string, string[]>> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
    .filter((path) => !NOT_OURS.includes(path))
    .sort();
  const found = new Map<string, string[]>(KINDS.map(([kind]) => [kind, []]));
  for (const path of paths) {
    const kind = KINDS.find(([, pattern]) => pattern.test(path))?.[0];
    if (kind === undefined) throw new Error(`${path} is of no kind that the test knows`);
    found.get(kind)!.push(path);
  }
  return found;
}

/** Copies a data directory with one file damaged, or two swapped. */
export async function copyDamaged(
  dataDir: string,
  target: string,
  paths: readonly [string, string],
  { name, of }: Damage,
  below: Below,
): Promise<void> {
  // A killed service leaves the sockets of its engines, which no copy needs.
  const filter = (path: string): boolean => !path.endsWith('.ipc');
  await cp(dataDir, target, { recursive: true, preserveTimestamps: true, filter });
  const [path, otherPath] = paths;
  const [bytes, other] = await Promise.all(
    paths.map((one) => readFile(join(dataDir, one)) as Promise<Buffer>),
  );
  const damaged = of(bytes!, other!, below);
  if (damaged) await writeFile(join(target, path), damaged);
  else await rm(join(target, path));
  if (name === 'swapped') await writeFile(join(target, otherPath), bytes!);
}
