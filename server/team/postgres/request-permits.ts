import { sql } from 'kysely';
import { keyOf, type Bound, type Subject } from '../../projects/quota-ledger';
import type { Database } from './database/database';

/** A node takes this part of the requests that are left of a minute at once, and at least one. */
const PART = 16;

/** What this node may use of a minute. */
interface Permits {
  left: number;
  /** When the minute is over, by the clock of this node. */
  ends: number;
  /** The others have taken the rest. */
  isLast: boolean;
  taking?: Promise<void>;
}

/**
 * Requests a minute of users and projects on all nodes. Nodes take permits from the database, so that the requests of a minute are never
 * more than the quota. A node may leave permits unused: up to a sixteenth of the quota.
 */
export class RequestPermits {
  /** By key. */
  readonly #permits = new Map<string, Permits>();

  constructor(
    private readonly database: Database,
    /** Milliseconds of a clock that never goes back. */
    private readonly now: () => number,
  ) {}

  /** @returns undefined: it may be served; else the seconds until one may be */
  async take(bound: Bound): Promise<number | undefined> {
    const key = keyOf('requestsPerMinute', bound.subject);
    for (;;) {
      const permits = this.#current(key);
      if (permits.left > 0) {
        permits.left--;
        return undefined;
      }
      if (permits.isLast) return Math.max(1, Math.ceil((permits.ends - this.now()) / 1000));
      await (permits.taking ??= this.#fetch(key, bound.limit, permits));
    }
  }

  /** Returns a permit of this minute that was taken for nothing. */
  putBack({ subject }: Bound): void {
    const permits = this.#permits.get(keyOf('requestsPerMinute', subject));
    if (permits && permits.ends > this.now()) permits.left++;
  }

  /** Requests of this minute, and permits that other nodes have not used yet. */
  async count(subject: Subject): Promise<number> {
    const key = keyOf('requestsPerMinute', subject);
    const { rows } = await this.database.repeatable((db) =>
      sql<{ taken: number }>`SELECT taken FROM forklens.quotas
        WHERE key = ${key} AND began_at > now() - interval '1 minute'`.execute(db),
    );
    return Math.max(0, (rows[0]?.taken ?? 0) - this.#current(key).left);
  }

  #current(key: string): Permits {
    const known = this.#permits.get(key);
    if (known && (known.ends > this.now() || known.taking)) return known;
    for (const [other, { ends, taking }] of this.#permits) {
      if (ends <= this.now() && !taking) this.#permits.delete(other);
    }
    const none: Permits = { left: 0, ends: -Infinity, isLast: false };
    this.#permits.set(key, none);
    return none;
  }

  async #fetch(key: string, limit: number, permits: Permits): Promise<void> {
    try {
      const sent = this.now();
      const { granted, seconds } = await this.#grant(key, limit);
      permits.left = granted;
      permits.isLast = granted === 0;
      // From before the request was sent: permits are never used in the next minute.
      permits.ends = sent + seconds * 1000;
    } finally {
      delete permits.taking;
    }
  }

  /** If it is repeated after a lost answer, permits stay unused. */
  async #grant(key: string, limit: number): Promise<{ granted: number; seconds: number }> {
    const part = (left: ReturnType<typeof sql>) =>
      sql`greatest(0, least(${left}, greatest(1, (${left}) / ${sql.lit(PART)})))`;
    const first = part(sql`${limit}::int`);
    const isOpen = sql`q.began_at > now() - interval '1 minute'`;
    const next = part(sql`${limit}::int - q.taken`);
    const { rows } = await this.database.repeatable((db) =>
      sql<{ granted: number; seconds: number }>`
        INSERT INTO forklens.quotas AS q (key, taken, granted) VALUES (${key}, ${first}, ${first})
        ON CONFLICT (key) DO UPDATE SET
          granted = CASE WHEN ${isOpen} THEN ${next} ELSE ${first} END,
          taken = CASE WHEN ${isOpen} THEN q.taken + ${next} ELSE ${first} END,
          began_at = CASE WHEN ${isOpen} THEN q.began_at ELSE now() END
        RETURNING granted,
          extract(epoch FROM began_at + interval '1 minute' - now())::float AS seconds`.execute(db),
    );
    return rows[0] ?? { granted: 0, seconds: 0 };
  }
}
