import { LRUCache } from 'lru-cache';
import { LIMITS } from '../api/limits';
import type { Clock } from './ports';

const HOUR_MS = 60 * 60 * 1_000;
/** Users whose refusals are counted. */
const USERS = 10_000;

interface Hour {
  readonly start: number;
  refusals: number;
}

/** How many refused requests of each user the audit log takes: anyone with a key can cause any number, and the oldest entries go. */
export class RefusalBudget {
  readonly #hours = new LRUCache<string, Hour>({ max: USERS });

  constructor(
    private readonly clock: Clock,
    /** Called once an hour for each user whose further refusals are left out. */
    private readonly onSpent: (userId: string) => void,
  ) {}

  /** Whether one more refusal of a user is recorded. */
  take(userId: string): boolean {
    const now = this.clock().getTime();
    const known = this.#hours.get(userId);
    const hour = known && now - known.start < HOUR_MS ? known : { start: now, refusals: 0 };
    this.#hours.set(userId, hour);
    hour.refusals++;
    if (hour.refusals === LIMITS.auditedRefusals + 1) this.onSpent(userId);
    return hour.refusals <= LIMITS.auditedRefusals;
  }
}
