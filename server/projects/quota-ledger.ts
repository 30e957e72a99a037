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

/** Of these, a unit is held while something is under way. A fork that exists counts beside the units of forks that are being created. */
export type HeldKind = Extract<QuotaKind, 'forks' | 'runningEngines' | 'analyses'>;

/** Ends what an admission began. May be called once. */
export type Release = () => void;

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
   * @param unit identifies what is under way; a later one with the same identity replaces it
   * @throws ApiError databaseUnavailable
   */
  hold(kind: HeldKind, unit: string, bounds: readonly Bound[]): Promise<Release | Refusal>;
  /**
   * Counts a request of all subjects, or of none.
   * @returns undefined: it is counted @throws ApiError databaseUnavailable
   */
  request(bounds: readonly Bound[]): Promise<Refusal | undefined>;
  /** Units that are held, or requests of the minute. @throws ApiError databaseUnavailable */
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
    private readonly forksOf: (subject: Subject) => Promise<number>,
    /** Milliseconds of a clock that never goes back. */
    private readonly now: () => number,
  ) {}

  hold(kind: HeldKind, unit: string, bounds: readonly Bound[]): Promise<Release | Refusal> {
    if (kind !== 'forks') return Promise.resolve(this.#hold(kind, unit, bounds, () => 0));
    // One at a time, so that each sees what the others have begun.
    const held = this.#turn.then(async () => {
      const forks = new Map<Subject, number>();
      for (const { subject } of bounds) forks.set(subject, await this.forksOf(subject));
      return this.#hold(kind, unit, bounds, (subject) => forks.get(subject) ?? 0);
    });
    this.#turn = held.catch(() => undefined);
    return held;
  }

  #hold(
    kind: HeldKind,
    unit: string,
    bounds: readonly Bound[],
    usedBy: (subject: Subject) => number,
  ): Release | Refusal {
    const keys = bounds.map(({ subject }) => keyOf(kind, subject));
    for (const [index, bound] of bounds.entries()) {
      const units = this.#held.get(keys[index] ?? '');
      const others = (units?.size ?? 0) - (units?.has(unit) === true ? 1 : 0);
      if (usedBy(bound.subject) + others >= bound.limit) return { refused: bound };
    }
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
    };
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

  count(kind: HeldKind | 'requestsPerMinute', subject: Subject): Promise<number> {
    const count =
      kind === 'requestsPerMinute'
        ? this.#window(subject).count
        : (this.#held.get(keyOf(kind, subject))?.size ?? 0);
    return Promise.resolve(count);
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
