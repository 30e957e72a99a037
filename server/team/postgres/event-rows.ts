import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { EventTable, WrittenEvent } from '../cluster/event-relay';
import type { Database } from './database/database';

/** Age after which no node needs an event: a node that did not read for so long has lost its clients' connections. */
const OLD = '1 minute';
/** Events that one query reads. */
const PAGE = 1_000;

/** Events as rows of the database. Each process counts its own, so that writers do not wait for each other. */
export class EventRows implements EventTable {
  readonly #writer = randomUUID();

  constructor(private readonly database: Database) {}

  async append(from: number, events: readonly string[]): Promise<void> {
    const rows = events.map((event, index) => ({
      writer: this.#writer,
      seq: from + index,
      event,
    }));
    await this.database.repeatable((db) =>
      db
        .insertInto('forklens.events')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }

  async readAfter(seen: ReadonlyMap<string, number>): Promise<readonly WrittenEvent[]> {
    const { rows } = await this.database.repeatable((db) =>
      sql<WrittenEvent>`SELECT e.writer, e.seq, e.event FROM forklens.events AS e
        LEFT JOIN unnest(${[...seen.keys()]}::text[], ${[...seen.values()]}::bigint[])
          AS seen (writer, seq) ON seen.writer = e.writer
        WHERE e.created_at > now() - ${OLD}::interval AND e.writer <> ${this.#writer}
          AND e.seq > coalesce(seen.seq, 0)
        ORDER BY e.writer, e.seq LIMIT ${PAGE}`.execute(db),
    );
    return rows;
  }

  async newest(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.repeatable((db) =>
      db
        .selectFrom('forklens.events')
        .select(['writer'])
        .select(({ fn }) => fn.max<number>('seq').as('seq'))
        .groupBy('writer')
        .execute(),
    );
    return new Map(rows.map(({ writer, seq }) => [writer, seq]));
  }

  async removeOld(): Promise<void> {
    await this.database.repeatable((db) =>
      sql`DELETE FROM forklens.events WHERE created_at < now() - 2 * ${OLD}::interval`.execute(db),
    );
  }
}
