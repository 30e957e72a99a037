import {
  EMPTY_JOURNAL,
  type JournalContents,
  type JournalEntry,
  type HistoryEntry,
  type NamedSnapshot,
} from './journal';
import {
  DROP_POOL,
  indexOfTaking,
  minus,
  NOTHING,
  plus,
  sizeOf,
  sumOf,
  withoutRevertedEntries,
  type Size,
} from './script';

/** A snapshot of `evm_snapshot`; its entry in the script marks where it was taken. */
interface Mark {
  id: string;
  pool: boolean;
}

interface SnapshotScript extends NamedSnapshot {
  /** Entries that lead to it from the fork point, including its own. */
  script: readonly HistoryEntry[];
  size: Size;
  /** Snapshots of `evm_snapshot` at that time. */
  marks: readonly Mark[];
  pool: boolean;
}

/** Superfluous entries that a journal may contain before it is rewritten. */
const MAX_SUPERFLUOUS: Size = { entries: 512, bytes: 64 * 1024 * 1024 };

/**
 * The content of a journal: the entries that lead from the fork point to the fork's state and to each of its named snapshots, without
 * reverted entries. Pure: it uses no engine.
 */
export class History {
  #script: HistoryEntry[] = [];
  #marks: Mark[] = [];
  #snapshots: SnapshotScript[] = [];
  #next: number;
  #written = NOTHING;
  /** Size of the script. */
  #scripted = NOTHING;
  /** Size of the scripts of named snapshots that are not on the script. */
  #detached = NOTHING;
  /** Superfluous entries that the journal may contain. */
  #accepted = MAX_SUPERFLUOUS;
  #executed: number;

  constructor(
    private readonly defaultId: string,
    { nextSnapshot, executed, entries }: JournalContents = EMPTY_JOURNAL,
  ) {
    this.#next = nextSnapshot;
    this.#executed = executed;
    for (const entry of entries) this.add(entry);
  }

  /** Entries that lead to the fork's state, in order of execution. */
  get script(): readonly HistoryEntry[] {
    return this.#script;
  }

  /** Oldest first. */
  get named(): readonly NamedSnapshot[] {
    return this.#snapshots;
  }

  /** Sequence number of the last entry that executed transactions; 0 before the first. */
  get executed(): number {
    return this.#executed;
  }

  /** Number of transactions that were made and not reverted. */
  get transactions(): number {
    const countAt = new Map([[this.defaultId, 0]]);
    let count = 0;
    for (const entry of this.#script) {
      if (entry.op === 'snapshot') countAt.set(entry.id, count);
      else if (entry.op === 'keep') countAt.set(entry.snapshot.id, count);
      else if (entry.op === 'revert') count = countAt.get(entry.id) ?? 0;
      else count += entry.executed?.count ?? 0;
    }
    return count;
  }

  /** The id of the next `evm_snapshot`. */
  get nextId(): string {
    return `0x${this.#next.toString(16)}`;
  }

  /** Whether a revert to the snapshot is possible. */
  has(id: string): boolean {
    return this.#ids().has(id);
  }

  isNamed(id: string): boolean {
    return this.#snapshots.some((one) => one.id === id);
  }

  /** Number of entries in the journal. */
  get entries(): number {
    return this.#written.entries;
  }

  /** Size of the journal after it is rewritten. */
  get needed(): Size {
    return plus(this.#scripted, this.#detached);
  }

  /** Whether most of the journal is superfluous. */
  get needsCompaction(): boolean {
    const { needed } = this;
    const limit = plus(this.#accepted, plus(needed, needed));
    return this.#written.entries > limit.entries || this.#written.bytes > limit.bytes;
  }

  add(entry: HistoryEntry): void {
    this.#written = plus(this.#written, sizeOf(entry));
    this.#executed = Math.max(this.#executed, entry.executed?.sequence ?? 0);
    switch (entry.op) {
      case 'snapshot':
        this.#next = Math.max(this.#next, Number(entry.id) + 1);
        this.#marks.push({ id: entry.id, pool: entry.pool === true });
        this.#push(entry);
        break;
      case 'keep':
        this.#push(entry);
        this.#addSnapshot(entry);
        break;
      case 'revert':
        this.#revert(entry);
        break;
      case 'forget':
        this.#marks = this.#marks.filter(({ id }) => id !== entry.id);
        this.#snapshots = this.#snapshots.filter(({ id }) => id !== entry.id);
        this.#measureDetached();
        break;
      default:
        this.#push(entry);
    }
  }

  /** The fewest entries that produce the same history. */
  compacted(): JournalContents {
    const entries = this.#detachedSnapshots().flatMap(({ script }): HistoryEntry[] => [
      ...script,
      { op: 'revert', id: this.defaultId },
    ]);
    for (const entry of this.#script) entries.push(entry);
    // Consumed or deleted snapshots may still be part of other scripts.
    const header = { nextSnapshot: this.#next, executed: this.#executed };
    const again = new History(this.defaultId, { ...header, entries });
    const ids = this.#ids();
    for (const id of again.#ids()) if (!ids.has(id)) entries.push({ op: 'forget', id });
    return { ...header, entries };
  }

  /** Records that the journal was rewritten: the previous entries can no longer be read. */
  rewritten({ nextSnapshot, executed, entries }: JournalContents): void {
    this.#script = [];
    this.#marks = [];
    this.#snapshots = [];
    this.#written = NOTHING;
    this.#scripted = NOTHING;
    this.#detached = NOTHING;
    this.#accepted = MAX_SUPERFLUOUS;
    this.#next = nextSnapshot;
    this.#executed = executed;
    for (const entry of entries) this.add(entry);
  }

  /** Records that the journal could not be rewritten, so that the next attempt is made later. */
  notRewritten(): void {
    this.#accepted = plus(this.#accepted, MAX_SUPERFLUOUS);
  }

  #push(entry: HistoryEntry): void {
    this.#script.push(entry);
    this.#scripted = plus(this.#scripted, sizeOf(entry));
  }

  /** Named snapshots that are not on the script. */
  #detachedSnapshots(): SnapshotScript[] {
    if (this.#snapshots.length === 0) return [];
    const onScript = new Set(this.#script);
    return this.#snapshots.filter(({ script }) => {
      const itself = script.at(-1);
      return !itself || !onScript.has(itself);
    });
  }

  #ids(): Set<string> {
    return new Set([
      this.defaultId,
      ...this.#marks.map(({ id }) => id),
      ...this.#snapshots.map(({ id }) => id),
    ]);
  }

  #addSnapshot({ snapshot, pool }: JournalEntry & { op: 'keep' }): void {
    const snapshots: SnapshotScript = {
      ...snapshot,
      script: [...this.#script],
      size: this.#scripted,
      marks: [...this.#marks],
      pool: pool === true,
    };
    // A rewritten journal may contain a snapshot several times, in the scripts of later ones.
    const others = this.#snapshots.filter(({ id }) => id !== snapshot.id);
    this.#snapshots = [...others, snapshots].sort((a, b) => (a.createTime < b.createTime ? -1 : 1));
  }

  #revert({ id, inline }: JournalEntry & { op: 'revert' }): void {
    let pool = false;
    let script: readonly HistoryEntry[] | undefined;
    let length = 0;
    const snapshots = this.#snapshots.find((one) => one.id === id);
    const mark = this.#marks.find((one) => one.id === id);
    if (snapshots) {
      const alive = new Set(this.#marks.map((one) => one.id));
      this.#marks = snapshots.marks.filter((one) => alive.has(one.id));
      script = snapshots.script;
      pool = snapshots.pool;
    } else if (mark) {
      this.#marks = this.#marks.slice(0, this.#marks.indexOf(mark));
      length = indexOfTaking(this.#script, id);
      pool = mark.pool;
    } else if (id === this.defaultId) this.#marks = [];
    else throw new Error(`there is no snapshot ${id}`);
    if (inline) {
      this.#push({ op: 'revert', id, inline });
      return;
    }
    if (script) this.#replace(script);
    else this.#truncate(length);
    if (pool) this.#push(DROP_POOL);
    this.#measureDetached();
  }

  /** Runs in time proportional to the dropped entries, so that reverts do not become slower as the script grows. */
  #truncate(length: number): void {
    const dropped = this.#script.splice(length);
    this.#scripted = minus(this.#scripted, sumOf(dropped.map(sizeOf)));
    if (this.#script.some(({ op }) => op === 'revert')) this.#replace(this.#script);
  }

  #replace(script: readonly HistoryEntry[]): void {
    this.#script = withoutRevertedEntries(script);
    this.#scripted = sumOf(this.#script.map(sizeOf));
  }

  #measureDetached(): void {
    this.#detached = sumOf(this.#detachedSnapshots().map(({ size }) => size));
  }
}
