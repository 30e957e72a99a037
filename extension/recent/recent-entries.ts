import { Emitter } from '../editor/emitter';
import type { RecentEntry, RecentSubject } from '../model/recent';

/** A store that outlives the window; `vscode.Memento` is one. */
export interface RecentMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const KEY = 'forklens.recent';
const MAX_ENTRIES = 100;
const MAX_PINNED = 50;
/** Characters of an entry: a simulation may replace the code of contracts. */
const MAX_LENGTH = 50_000;

/** What was analyzed, simulated, compared and debugged, newest first. Kept over restarts, and bounded. */
export class RecentEntries {
  readonly #changes = new Emitter<undefined>();
  readonly onDidChange = this.#changes.event;

  constructor(
    private readonly memory: RecentMemory,
    private readonly now: () => number,
  ) {}

  list(): RecentEntry[] {
    const kept = this.memory.get(KEY);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  }

  /** Notes that a subject was opened. A subject that is listed moves to the front, and keeps its pin. */
  note(subject: RecentSubject, title: string): void {
    if (JSON.stringify(subject).length > MAX_LENGTH) return;
    const key = recentKey(subject);
    const before = this.list().find((entry) => recentKey(entry.subject) === key);
    const pin = before?.pinned === true ? { pinned: true as const } : {};
    this.#save([{ subject, title, time: this.now(), ...pin }, ...this.#without(key)]);
  }

  /** The title of a listed subject. */
  titleOf(subject: RecentSubject): string | undefined {
    const key = recentKey(subject);
    return this.list().find((entry) => recentKey(entry.subject) === key)?.title;
  }

  /** Replaces the title of a listed subject, for example when the method of a transaction is known. */
  retitle(subject: RecentSubject, title: string): void {
    const key = recentKey(subject);
    const entries = this.list();
    const entry = entries.find((one) => recentKey(one.subject) === key);
    if (entry === undefined || entry.title === title) return;
    entry.title = title;
    this.#save(entries);
  }

  pin({ subject }: RecentEntry, pinned: boolean): void {
    const key = recentKey(subject);
    const changed = this.list().map((entry) =>
      recentKey(entry.subject) === key ? withPin(entry, pinned) : entry,
    );
    this.#save(changed);
  }

  remove({ subject }: RecentEntry): void {
    this.#save(this.#without(recentKey(subject)));
  }

  /** Keeps the pinned ones. */
  clear(): void {
    this.#save(this.list().filter(({ pinned }) => pinned === true));
  }

  #without(key: string): RecentEntry[] {
    return this.list().filter(({ subject }) => recentKey(subject) !== key);
  }

  #save(entries: readonly RecentEntry[]): void {
    const pinned = entries.filter((entry) => entry.pinned === true).slice(0, MAX_PINNED);
    const others = entries.filter((entry) => entry.pinned !== true).slice(0, MAX_ENTRIES);
    const kept = [...pinned, ...others].sort((a, b) => b.time - a.time);
    void this.memory.update(KEY, kept);
    this.#changes.fire(undefined);
  }
}

const withPin = ({ subject, title, time }: RecentEntry, pinned: boolean): RecentEntry => ({
  subject,
  title,
  time,
  ...(pinned && { pinned }),
});

/** Equal for subjects that open the same. */
export const recentKey = (subject: RecentSubject): string =>
  JSON.stringify(subject, (name, value: unknown) =>
    name === 'title' ? undefined : typeof value === 'string' ? value.toLowerCase() : value,
  );

/** Another version of the extension may have written something else. */
function isEntry(value: unknown): value is RecentEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { subject, title, time } = value as Partial<RecentEntry>;
  return (
    typeof title === 'string' &&
    typeof time === 'number' &&
    typeof subject === 'object' &&
    ['transaction', 'simulation', 'comparison', 'debugging'].includes(subject.kind)
  );
}
