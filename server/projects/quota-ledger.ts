import type { QuotaKind } from '../api/quota';

/** A user or a project. */
export interface Subject {
  kind: 'user' | 'project';
  id: string;
}

/** What a quota is of, and its limit. */
export interface Bound {
  subject: Subject;
  limit: number;
}

/** Of these, a unit is held while something is under way. Forks that exist count as well. */
export type HeldKind = Extract<QuotaKind, 'forks' | 'runningEngines' | 'analyses'>;

/** Ends what an admission began. May be called once. Resolves when other nodes know of it, or the database cannot be told yet; never rejects. */
export type Release = () => Promise<void>;

/** A quota is used up. */
export interface Refusal {
  refused: Bound;
  /** Seconds until it is not, if that is known. */
  seconds?: number;
}

/** Counts what quotas bound, and never more than they allow: on one node, or on all nodes of a database together. */
export interface QuotaLedger {
  /**
   * Holds a unit of all subjects, or of none.
   * @param unit identifies what is under way; a later one with the same identity replaces it. Of a fork that is being created, its id: the
   *   fork counts once
   * @throws ApiError databaseUnavailable
   */
  hold(kind: HeldKind, unit: string, bounds: readonly Bound[]): Promise<Release | Refusal>;
  /**
   * Counts a request of all subjects, or of none.
   * @returns undefined: it is counted @throws ApiError databaseUnavailable
   */
  request(bounds: readonly Bound[]): Promise<Refusal | undefined>;
  /** Units that are held, forks that exist as well, or requests of the minute. @throws ApiError databaseUnavailable */
  count(kind: HeldKind | 'requestsPerMinute', subject: Subject): Promise<number>;
}

export const keyOf = (kind: QuotaKind, { kind: whose, id }: Subject): string =>
  `${kind} ${whose} ${id}`;

export const QUOTA_WINDOW_MS = 60_000;

/** The ledger of a service without other nodes. */
export class LocalLedger implements QuotaLedger {
  /** Units by key, with who holds them now. */
  readonly #held = new Map<string, Map<string, symbol>>();
  readonly #windows = new Map<string, { began: number; count: number }>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    /** Ids of the forks that exist. */
    private readonly forksOf: (subject: Subject) => Promise<readonly string[]>,
    /** Milliseconds of a clock that never goes back. */
    private readonly now: () => number,
  ) {}

  hold(kind: HeldKind, unit: string, bounds: readonly Bound[]): Promise<Release | Refusal> {
    // One at a time, so that each sees what the others have begun.
    const held = this.#turn.then(async () => {
      for (const bound of bounds) {
        const used = await this.#used(kind, bound.subject);
        used.delete(unit);
        if (used.size >= bound.limit) return { refused: bound };
      }
      return this.#hold(
        unit,
        bounds.map(({ subject }) => keyOf(kind, subject)),
      );
    });
    this.#turn = held.catch(() => undefined);
    return held;
  }

  #hold(unit: string, keys: readonly string[]): Release {
    const holder = Symbol(unit);
    for (const key of keys) {
      this.#held.set(key, (this.#held.get(key) ?? new Map<string, symbol>()).set(unit, holder));
    }
    return () => {
      for (const key of keys) {
        const units = this.#held.get(key);
        if (units?.get(unit) === holder) units.delete(unit);
        if (units?.size === 0) this.#held.delete(key);
      }
      return Promise.resolve();
    };
  }

  /** Reads the units before the forks. A fork that is created in between was a unit, so it is not missed. */
  async #used(kind: HeldKind, subject: Subject): Promise<Set<string>> {
    const used = new Set(this.#held.get(keyOf(kind, subject))?.keys());
    if (kind === 'forks') for (const fork of await this.forksOf(subject)) used.add(fork);
    return used;
  }

  request(bounds: readonly Bound[]): Promise<Refusal | undefined> {
    const windows = bounds.map(({ subject }) => this.#window(subject));
    for (const [index, bound] of bounds.entries()) {
      const { began = 0, count = 0 } = windows[index] ?? {};
      if (count < bound.limit) continue;
      const left = QUOTA_WINDOW_MS - (this.now() - began);
      return Promise.resolve({ refused: bound, seconds: Math.ceil(left / 1000) });
    }
    for (const window of windows) window.count++;
    for (const [index, { subject }] of bounds.entries()) {
      const window = windows[index];
      if (window) this.#windows.set(keyOf('requestsPerMinute', subject), window);
    }
    return Promise.resolve(undefined);
  }

  async count(kind: HeldKind | 'requestsPerMinute', subject: Subject): Promise<number> {
    if (kind === 'requestsPerMinute') return this.#window(subject).count;
    return (await this.#used(kind, subject)).size;
  }

  #window(subject: Subject): { began: number; count: number } {
    const now = this.now();
    for (const [key, { began }] of this.#windows) {
      if (now - began < QUOTA_WINDOW_MS) break; // in the order of their beginning
      this.#windows.delete(key);
    }
    return this.#windows.get(keyOf('requestsPerMinute', subject)) ?? { began: now, count: 0 };
  }
}
