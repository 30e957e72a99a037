import { sql } from 'kysely';
import type { LeaseTable } from '../cluster/lease-keeper';
import type { Database } from './database/database';

/** The leases of one node, as rows of the database. Its clock decides when they expire. */
export class LeaseRows implements LeaseTable {
  constructor(
    private readonly database: Database,
    private readonly nodeId: string,
    private readonly leaseSeconds: number,
  ) {}

  async take(forkId: string): Promise<{ epoch: number } | { freeIn: number }> {
    const { nodeId, leaseSeconds } = this;
    return this.database.repeatable(async (db) => {
      // A lease of the same node is replaced: its epoch can append nothing more.
      const taken = await sql<{ epoch: number }>`
        INSERT INTO forklens.leases AS l (fork_id, node_id, epoch, expires_at)
        VALUES (${forkId}, ${nodeId}, 1, now() + ${leaseSeconds}::float * interval '1 second')
        ON CONFLICT (fork_id) DO UPDATE
        SET node_id = excluded.node_id, epoch = l.epoch + 1, expires_at = excluded.expires_at
        WHERE l.node_id = excluded.node_id OR l.expires_at <= now()
        RETURNING epoch`.execute(db);
      const [row] = taken.rows;
      if (row) return row;
      const other = await sql<{ seconds: number }>`
        SELECT extract(epoch FROM expires_at - now())::float AS seconds
        FROM forklens.leases WHERE fork_id = ${forkId}`.execute(db);
      return { freeIn: other.rows[0]?.seconds ?? 0 };
    });
  }

  async renew(leases: readonly { forkId: string; epoch: number }[]): Promise<readonly string[]> {
    const forks = leases.map(({ forkId }) => forkId);
    const epochs = leases.map(({ epoch }) => epoch);
    const { rows } = await this.database.repeatable((db) =>
      sql<{ fork_id: string }>`
        UPDATE forklens.leases AS l
        SET expires_at = now() + ${this.leaseSeconds}::float * interval '1 second'
        FROM unnest(${forks}::text[], ${epochs}::bigint[]) AS held (fork_id, epoch)
        WHERE l.fork_id = held.fork_id AND l.epoch = held.epoch AND l.node_id = ${this.nodeId}
        RETURNING l.fork_id`.execute(db),
    );
    return rows.map(({ fork_id }) => fork_id);
  }

  async release({ forkId, epoch }: { forkId: string; epoch: number }): Promise<void> {
    await this.database.repeatable((db) =>
      sql`UPDATE forklens.leases SET expires_at = now()
        WHERE fork_id = ${forkId} AND node_id = ${this.nodeId} AND epoch = ${epoch}`.execute(db),
    );
  }
}
