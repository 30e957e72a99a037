import { sql } from 'kysely';
import type { FilterRecord, FilterRecords } from '../../forks/reads/fork-filters';
import type { Topic } from '../../forks/writes/fork-feed';
import type { Database } from './database/database';

/** The filters of one fork, as rows of the database. Only the node that has the fork's lease changes them. */
export class FilterRows implements FilterRecords {
  constructor(
    private readonly database: Database,
    private readonly nodeId: string,
    private readonly forkId: string,
  ) {}

  async all(): Promise<readonly FilterRecord[]> {
    const rows = await this.database.repeatable((db) =>
      db
        .selectFrom('forklens.filters')
        .select(['filter_id', 'topic', 'position', 'last_sent'])
        .where('fork_id', '=', this.forkId)
        .orderBy('changed_at')
        .execute(),
    );
    return rows.map(({ filter_id, topic, position, last_sent }) => ({
      id: filter_id,
      topic: JSON.parse(topic) as Topic,
      state: { position, ...(last_sent === null ? {} : { lastSent: last_sent || null }) },
    }));
  }

  async put({ id, topic, state }: FilterRecord): Promise<void> {
    const lastSent = state.lastSent === undefined ? null : (state.lastSent ?? '');
    await this.database.repeatable((db) =>
      sql`INSERT INTO forklens.filters (fork_id, filter_id, topic, position, last_sent)
        SELECT ${this.forkId}, ${id}, ${JSON.stringify(topic)}, ${state.position}::bigint, ${lastSent}::text
        ${this.#whileHeld}
        ON CONFLICT (fork_id, filter_id) DO UPDATE
        SET position = excluded.position, last_sent = excluded.last_sent, changed_at = now()`.execute(
        db,
      ),
    );
  }

  async remove(id: string): Promise<void> {
    await this.database.repeatable((db) =>
      db
        .deleteFrom('forklens.filters')
        .where('fork_id', '=', this.forkId)
        .where('filter_id', '=', id)
        .execute(),
    );
  }

  async rewind(head: number): Promise<void> {
    await this.database.repeatable((db) =>
      sql`UPDATE forklens.filters SET position = ${head}::bigint
        WHERE fork_id = ${this.forkId} AND position > ${head}::bigint AND EXISTS (SELECT 1 ${this.#whileHeld})`.execute(
        db,
      ),
    );
  }

  get #whileHeld() {
    return sql`FROM forklens.leases
      WHERE fork_id = ${this.forkId} AND node_id = ${this.nodeId} AND expires_at > now()`;
  }
}
