import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import {
  keyOf,
  type Bound,
  type HeldKind,
  type QuotaLedger,
  type Refusal,
  type Release,
  type Subject,
} from '../../projects/quota-ledger';
import type { Database, Db } from './database/database';
import { RequestPermits } from './request-permits';

/** Pause before a release is tried again, in milliseconds. */
const RETRY_MS = 1_000;

interface QuotaRowsOptions {
  database: Database;
  nodeId: string;
  /** A node without a heartbeat for this time holds nothing. */
  leaseSeconds: number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/**
 * Counts what quotas bound on all nodes of a database. The rows of a key are counted and added to under the lock of its row, so that nodes
 * which ask at the same time do not exceed a quota together.
 */
export class QuotaRows implements QuotaLedger {
  readonly #permits: RequestPermits;
  /** Holdings that have ended, and whose rows may still be there. */
  readonly #ended = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: QuotaRowsOptions) {
    this.#permits = new RequestPermits(options.database, options.now);
  }

  async hold(kind: HeldKind, unit: string, bounds: readonly Bound[]): Promise<Release | Refusal> {
    const holding = randomUUID();
    const release = (): Promise<void> => {
      this.#ended.add(holding);
      return this.#flush();
    };
    try {
      const refused = await this.#add(kind, { unit, holding }, bounds);
      return refused ? { refused } : release;
    } catch (error) {
      void release(); // nobody knows whether it was committed
      throw error;
    }
  }

  async request(bounds: readonly Bound[]): Promise<Refusal | undefined> {
    const taken: Bound[] = [];
    for (const bound of bounds) {
      const seconds = await this.#permits.take(bound);
      if (seconds === undefined) {
        taken.push(bound);
        continue;
      }
      for (const one of taken) this.#permits.putBack(one);
      return { refused: bound, seconds };
    }
    return undefined;
  }

  async count(kind: HeldKind | 'requestsPerMinute', subject: Subject): Promise<number> {
    if (kind === 'requestsPerMinute') return this.#permits.count(subject);
    return this.options.database.repeatable((db) => this.#used(db, kind, subject));
  }

  /** Ends the attempts to release what is held. What is still there counts until the node is dead. */
  async close(): Promise<void> {
    await this.#flush();
    clearTimeout(this.#timer);
  }

  /** @returns the bound that is reached: nothing is added then */
  #add(
    kind: HeldKind,
    { unit, holding }: { unit: string; holding: string },
    bounds: readonly Bound[],
  ): Promise<Bound | undefined> {
    const { database, nodeId } = this.options;
    const keyed = bounds
      .map((bound) => ({ bound, key: keyOf(kind, bound.subject) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)); // locks are taken in one order
    const ended = [...this.#ended];
    const added = database.repeatable((db) =>
      db.transaction().execute(async (transaction) => {
        for (const { key } of keyed) {
          await sql`INSERT INTO forklens.quotas (key) VALUES (${key})
            ON CONFLICT (key) DO UPDATE SET key = excluded.key`.execute(transaction);
        }
        if (ended.length > 0) await remove(transaction, ended);
        for (const { bound } of keyed) {
          if ((await this.#used(transaction, kind, bound.subject, unit)) >= bound.limit) {
            return bound;
          }
        }
        for (const { key } of keyed) {
          await sql`INSERT INTO forklens.quota_units (key, unit, holding, node_id)
            VALUES (${key}, ${unit}, ${holding}, ${nodeId})
            ON CONFLICT (key, unit) DO UPDATE
            SET holding = excluded.holding, node_id = excluded.node_id`.execute(transaction);
        }
        return undefined;
      }),
    );
    return added.then((refused) => {
      for (const one of ended) this.#ended.delete(one);
      return refused;
    });
  }

  /**
   * Counts the units that live nodes hold and the forks that exist. One query reads both, so that a fork counts once while its creation
   * ends.
   * @param except a unit that does not count
   */
  async #used(db: Db, kind: HeldKind, subject: Subject, except = ''): Promise<number> {
    const { nodeId, leaseSeconds } = this.options;
    const forks = kind === 'forks' ? sql`UNION ${forksOf(subject)}` : sql``;
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (
        SELECT u.unit FROM forklens.quota_units u
        WHERE u.key = ${keyOf(kind, subject)} AND u.unit <> ${except}
          AND (u.node_id = ${nodeId} OR EXISTS (
            SELECT 1 FROM forklens.nodes n WHERE n.node_id = u.node_id
              AND n.heartbeat_at > now() - ${leaseSeconds}::float * interval '1 second'))
        ${forks}
      ) used`.execute(db);
    return rows[0]?.count ?? 0;
  }

  async #flush(): Promise<void> {
    const ended = [...this.#ended];
    if (ended.length === 0) return;
    try {
      await this.options.database.repeatable((db) => remove(db, ended));
      for (const one of ended) this.#ended.delete(one);
    } catch {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#flush();
      }, RETRY_MS).unref();
    }
  }
}

async function remove(db: Db, holdings: readonly string[]): Promise<void> {
  await sql`DELETE FROM forklens.quota_units WHERE holding = ANY(${[...holdings]}::text[])`.execute(
    db,
  );
}

/** Ids of the forks of a project, or of the projects that a user owns. */
const forksOf = ({ kind, id }: Subject): RawBuilder<unknown> =>
  kind === 'project'
    ? sql`SELECT fork_id FROM forklens.forks WHERE project_id = ${id}`
    : sql`SELECT fork_id FROM forklens.forks WHERE project_id IN (
        SELECT project_id FROM forklens.projects WHERE owner_id = ${id})`;
