import { ApiError } from '../../api/errors';
import type { ForkJournal } from '../../api/fork';
import type { History } from './history';

/** Maximum size of a journal. */
export interface JournalLimits {
  bytes: number;
  entries: number;
}

/** Share of the limits above which clients are warned. */
const WARNING = 0.8;

/** Decides from the size of a fork's journal whether the fork may still change. */
export class JournalQuota {
  /** Size of the journal that `requireDisk` knows of. */
  #counted: number;

  constructor(
    private readonly limits: JournalLimits,
    private readonly journal: { readonly bytes: number },
    private readonly history: History,
    /** Receives the bytes that were added since. Throws ApiError diskQuota if the project or its owner has no more space. */
    private readonly requireDisk: (grown: number) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#counted = journal.bytes;
  }

  get isNearlyFull(): boolean {
    return isNearlyFull(this.limits, this.journal.bytes, this.history.entries);
  }

  get size(): ForkJournal {
    const { isNearlyFull, limits, journal } = this;
    return { bytes: journal.bytes, maxBytes: limits.bytes, isNearlyFull };
  }

  /** Whether rewriting the journal would make room for more than a few changes. */
  get canShrink(): boolean {
    const { bytes, entries } = this.history.needed;
    return this.isNearlyFull && !isNearlyFull(this.limits, 1.25 * bytes, 1.25 * entries);
  }

  /** @throws ApiError journalFull, diskQuota */
  async requireRoom(): Promise<void> {
    const { limits, journal, history } = this;
    const grown = journal.bytes - this.#counted;
    this.#counted = journal.bytes;
    await this.requireDisk(grown);
    if (journal.bytes < limits.bytes && history.entries < limits.entries) return;
    const reached =
      journal.bytes < limits.bytes
        ? `${limits.entries} changes`
        : `${megabytes(limits.bytes)} MiB of changes`;
    throw new ApiError(
      'journalFull',
      `the fork has ${reached}, which is the limit: revert to a snapshot, branch the fork before an early transaction, ` +
        'delete the fork, or raise limits.forkJournalMegabytes or limits.forkJournalEntries in the config file',
    );
  }
}

const isNearlyFull = (limits: JournalLimits, bytes: number, entries: number): boolean =>
  bytes >= WARNING * limits.bytes || entries >= WARNING * limits.entries;

const megabytes = (bytes: number): string => String(Math.round((bytes / 1024 ** 2) * 100) / 100);
