import {
  EMPTY_JOURNAL,
  type JournalContents,
  type JournalEntry,
  type NamedSnapshot,
} from './journal';

/** A snapshot of `evm_snapshot`; its entry on the script says where it was taken. */
interface Mark {
  id: string;
  pool: boolean;
}

interface Kept extends NamedSnapshot {
  /** Leads to it from the fork point, itself included. */
  script: readonly JournalEntry[];
  /** The snapshots of `evm_snapshot` that there were. */
  marks: readonly Mark[];
  pool: boolean;
}

const DROP_POOL: JournalEntry = { op: 'call', method: 'anvil_dropAllTransactions', params: [] };

/** Entries that a journal may hold for nothing before it is worth the work to write it anew. */
const WASTE = 512;

/**
 * What a journal comes to: the steps that lead from the fork point to where the fork stands and to each of its named snapshots.
 * What a revert took back is in none of them. Pure: it knows of no engine.
 */
export class History {
  #script: JournalEntry[] = [];
  #marks: Mark[] = [];
  #kept: Kept[] = [];
  #next: number;
  #written = 0;
  /** Entries for nothing that are accepted. */
  #waste = WASTE;
  #executed: number;

  constructor(
    private readonly defaultId: string,
    { nextSnapshot, executed, entries }: JournalContents = EMPTY_JOURNAL,
  ) {
    this.#next = nextSnapshot;
    this.#executed = executed;
    for (const entry of entries) this.add(entry);
  }

  /** Lead to where the fork stands; each is carried out in turn. */
  get script(): readonly JournalEntry[] {
    return this.#script;
  }

  /** Oldest first. */
  get named(): readonly NamedSnapshot[] {
    return this.#kept;
  }

  /** Of the last entry that executed transactions; 0 before the first. */
  get executed(): number {
    return this.#executed;
  }

  /** How many transactions were made on the way, and not taken back. */
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

  /** The id that `evm_snapshot` gives next. */
  get nextId(): string {
    return `0x${this.#next.toString(16)}`;
  }

  /** A revert to it is possible. */
  has(id: string): boolean {
    return this.#ids().has(id);
  }

  isNamed(id: string): boolean {
    return this.#kept.some((one) => one.id === id);
  }

  /** Reverts done inline have made the script so long that a new engine is the better way. */
  get isLong(): boolean {
    return this.#script.length > WASTE && this.#script.some(({ op }) => op === 'revert');
  }

  /** Most of what the journal holds leads nowhere. */
  get isWasteful(): boolean {
    const needed = this.#kept.reduce((sum, { script }) => sum + script.length, 0);
    return this.#written > this.#waste + 2 * (this.#script.length + needed);
  }

  add(entry: JournalEntry): void {
    this.#written++;
    this.#executed = Math.max(this.#executed, entry.executed?.sequence ?? 0);
    switch (entry.op) {
      case 'snapshot':
        this.#next = Math.max(this.#next, Number(entry.id) + 1);
        this.#marks.push({ id: entry.id, pool: entry.pool === true });
        this.#script.push(entry);
        break;
      case 'keep':
        this.#script.push(entry);
        this.#keep(entry);
        break;
      case 'revert':
        this.#revert(entry);
        break;
      case 'forget':
        this.#marks = this.#marks.filter(({ id }) => id !== entry.id);
        this.#kept = this.#kept.filter(({ id }) => id !== entry.id);
        break;
      default:
        this.#script.push(entry);
    }
  }

  /** As few entries as give the same history. */
  compacted(): JournalContents {
    const entries: JournalEntry[] = [];
    const onScript = new Set(this.#script);
    for (const { script } of this.#kept) {
      const itself = script.at(-1);
      if (itself && onScript.has(itself)) continue;
      entries.push(...script, { op: 'revert', id: this.defaultId });
    }
    entries.push(...this.#script);
    // Snapshots that were consumed or deleted are on the way to others still.
    const header = { nextSnapshot: this.#next, executed: this.#executed };
    const again = new History(this.defaultId, { ...header, entries });
    const ids = this.#ids();
    for (const id of again.#ids()) if (!ids.has(id)) entries.push({ op: 'forget', id });
    return { ...header, entries };
  }

  /** The journal was written anew, with so many entries. */
  rewritten(entries: number): void {
    this.#written = entries;
    this.#waste = WASTE;
  }

  /** It could not be written anew: not every entry from here on shall try again. */
  notRewritten(): void {
    this.#waste += WASTE;
  }

  #ids(): Set<string> {
    return new Set([
      this.defaultId,
      ...this.#marks.map(({ id }) => id),
      ...this.#kept.map(({ id }) => id),
    ]);
  }

  #keep({ snapshot, pool }: JournalEntry & { op: 'keep' }): void {
    const kept: Kept = {
      ...snapshot,
      script: [...this.#script],
      marks: [...this.#marks],
      pool: pool === true,
    };
    // A journal that was written anew tells of one several times: on the ways to those behind it.
    const others = this.#kept.filter(({ id }) => id !== snapshot.id);
    this.#kept = [...others, kept].sort((a, b) => (a.createTime < b.createTime ? -1 : 1));
  }

  #revert({ id, inline }: JournalEntry & { op: 'revert' }): void {
    const before = this.#script;
    let pool = false;
    const kept = this.#kept.find((one) => one.id === id);
    const mark = this.#marks.find((one) => one.id === id);
    if (kept) {
      const alive = new Set(this.#marks.map((one) => one.id));
      this.#marks = kept.marks.filter((one) => alive.has(one.id));
      // Those that a compacted journal tells of have none either.
      this.#script = withoutDetours(kept.script);
      pool = kept.pool;
    } else if (mark) {
      this.#marks = this.#marks.slice(0, this.#marks.indexOf(mark));
      this.#script = withoutDetours(before.slice(0, indexOfTaking(before, id)));
      pool = mark.pool;
    } else if (id === this.defaultId) {
      this.#marks = [];
      this.#script = [];
    } else throw new Error(`there is no snapshot ${id}`);
    if (inline) this.#script = [...before, { op: 'revert', id, inline }];
    else if (pool) this.#script.push(DROP_POOL);
  }
}

/** Where a snapshot is taken; -1 for the default one, which is taken before everything. */
const indexOfTaking = (script: readonly JournalEntry[], id: string): number =>
  script.findLastIndex((entry) => {
    if (entry.op === 'keep') return entry.snapshot.id === id;
    return entry.op === 'snapshot' && entry.id === id;
  });

/** A send that made none has no time. */
const makesBlocks = (entry: JournalEntry): boolean =>
  entry.op === 'mine' || (entry.op === 'send' && entry.timestamp !== undefined);

/**
 * A script that leads to the same state for a new engine: an inexact revert matters to the blocks that come after it, so one behind
 * the last block is left out together with what it took back. Test suites that revert after each test come to nothing this way.
 */
function withoutDetours(script: readonly JournalEntry[]): JournalEntry[] {
  let left = [...script];
  for (;;) {
    const revertAt = left.findLastIndex((entry) => makesBlocks(entry) || entry.op === 'revert');
    const revert = left[revertAt];
    if (revert?.op !== 'revert') return left;
    const takenAt = indexOfTaking(left.slice(0, revertAt), revert.id);
    const taking = left[takenAt];
    const pool = taking && 'pool' in taking ? [DROP_POOL] : [];
    // A revert consumes a snapshot, but a named one.
    const until = taking?.op === 'snapshot' ? takenAt : takenAt + 1;
    left = [...left.slice(0, until), ...pool, ...left.slice(revertAt + 1)];
  }
}
