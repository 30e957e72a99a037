import { createHash } from 'node:crypto';
import type { Storage } from '../../composition/storage';
import { wholeEntry } from '../../forks/writes/journal';

/** More entries than an audit log keeps. */
const MAX_AUDIT = 1_000_000;

/** Number of records of a kind, and their checksum. */
export interface Digest {
  count: number;
  /** SHA-256, hex. The same records have the same checksum in each storage. */
  checksum: string;
}

const RECORDS = ['users', 'keys', 'projects', 'forks', 'usage'] as const;
export type Kind = (typeof RECORDS)[number] | 'labels' | 'abis' | 'journals' | 'audit';
export type Digests = Record<Kind, Digest>;

/**
 * Copies all data into an empty storage, and compares both afterwards. The records of users and forks are written last, so that a copy that
 * was interrupted has none. Nothing is deleted. Both storages must be unused.
 * @throws Error with a message for the user
 */
export async function copyStorage(from: Storage, to: Storage): Promise<Digests> {
  if (!(await to.records.isEmpty())) {
    throw new Error(
      'the target is not empty; accepted: an empty database, or a folder without data',
    );
  }
  const records = await from.records.readAll();
  for await (const user of from.labels.users()) {
    const labels = await from.labels.read(user);
    await to.labels.change(user, (copy) => {
      for (const [key, label] of labels) copy.set(key, label);
    });
  }
  for await (const key of from.abis.keys()) {
    const record = await from.abis.find(key);
    if (record) await to.abis.put(key, record);
  }
  for (const forkId of Object.keys(records.forks)) await copyJournal(from, to, forkId);
  const audit = await auditOf(from);
  for (const record of audit.reverse()) await to.audit.append(record);
  await to.records.writeAll(records);
  const [source, target] = [await digestsOf(from), await digestsOf(to)];
  const kinds = Object.keys(source) as Kind[];
  const different = kinds.filter((kind) => !isSame(source[kind], target[kind]));
  if (different.length > 0) {
    throw new Error(
      `the copy differs from its source in: ${different.join(', ')}. Stop what uses them, empty the target, and copy again`,
    );
  }
  return target;
}

/** The audit log, newest first. */
const auditOf = async (storage: Storage) => [...(await storage.audit.list({ limit: MAX_AUDIT }))];

async function copyJournal(from: Storage, to: Storage, forkId: string): Promise<void> {
  const { contents, close } = await from.journals.read(forkId);
  try {
    await to.journals.create(forkId);
    const { journal } = await to.journals.open(forkId);
    try {
      await journal.rewrite(contents);
    } finally {
      await journal.close();
    }
    await to.journals.confirm(forkId);
  } finally {
    await close();
  }
}

/** Counts and checksums of all data. Reads one journal entry at a time. */
async function digestsOf(storage: Storage): Promise<Digests> {
  const records = await storage.records.readAll();
  const [labels, abis] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for await (const user of storage.labels.users()) {
    labels.set(user, [...(await storage.labels.read(user)).values()]);
  }
  for await (const key of storage.abis.keys()) {
    abis.set(JSON.stringify(key), await storage.abis.find(key));
  }
  const journals = new Map<string, unknown>();
  for (const forkId of Object.keys(records.forks)) {
    journals.set(forkId, await journalChecksum(storage, forkId));
  }
  const [users, keys, projects, forks, usage] = RECORDS.map((kind) =>
    digestOf(new Map(Object.entries(records[kind]))),
  ) as [Digest, Digest, Digest, Digest, Digest];
  return {
    users,
    keys,
    projects,
    forks,
    usage,
    labels: digestOf(labels),
    abis: digestOf(abis),
    journals: digestOf(journals),
    audit: digestOf(new Map((await auditOf(storage)).map((record) => [record.id, record]))),
  };
}

async function journalChecksum(storage: Storage, forkId: string): Promise<string> {
  const { contents, close } = await storage.journals.read(forkId);
  try {
    const { entries, ...head } = contents;
    const hash = createHash('sha256').update(canonical(head));
    for (const entry of entries) hash.update(`\n${JSON.stringify(await wholeEntry(entry))}`);
    return hash.digest('hex');
  } finally {
    await close();
  }
}

function digestOf(records: ReadonlyMap<string, unknown>): Digest {
  const hash = createHash('sha256');
  for (const id of [...records.keys()].sort()) hash.update(`${id} ${canonical(records.get(id))}\n`);
  return { count: records.size, checksum: hash.digest('hex') };
}

const isSame = (one: Digest, other: Digest): boolean =>
  one.count === other.count && one.checksum === other.checksum;

/** JSON with the members of each object in order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
