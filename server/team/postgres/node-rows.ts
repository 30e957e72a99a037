import { sql } from 'kysely';
import type { NodeFacts, NodeLoad, NodeTable } from '../cluster/node-registry';
import type { Database } from './database/database';

/** What a node says about itself. */
export interface OwnNode {
  nodeId: string;
  url: string | null;
  version: string;
  capacity: number;
}

/** The nodes as rows of the database. Its clock measures their heartbeats. */
export class NodeRows implements NodeTable {
  constructor(
    private readonly database: Database,
    private readonly own: OwnNode,
  ) {}

  async register(): Promise<void> {
    await this.database.repeatable(async (db) => {
      await sql`DELETE FROM forklens.nodes
        WHERE heartbeat_at < now() - ${FORGOTTEN}::interval`.execute(db);
      await db.deleteFrom('forklens.nodes').where('node_id', '=', this.own.nodeId).execute();
      // What nodes held that are gone, and this one before its restart.
      await sql`DELETE FROM forklens.quota_units
        WHERE node_id NOT IN (SELECT node_id FROM forklens.nodes)`.execute(db);
    });
    await this.beat({ engines: 0, waiting: 0 });
  }

  async beat({ engines, waiting }: NodeLoad): Promise<readonly NodeFacts[]> {
    const { nodeId, url, version, capacity } = this.own;
    await this.database.repeatable((db) =>
      sql`INSERT INTO forklens.nodes AS n
          (node_id, url, version, capacity, engines, waiting, draining, heartbeat_at)
        VALUES (${nodeId}, ${url}, ${version}, ${capacity}, ${engines}, ${waiting}, false, now())
        ON CONFLICT (node_id) DO UPDATE
        SET engines = excluded.engines, waiting = excluded.waiting, heartbeat_at = now()`.execute(
        db,
      ),
    );
    return this.list();
  }

  list(): Promise<readonly NodeFacts[]> {
    return listNodes(this.database);
  }

  drain(nodeId: string): Promise<boolean> {
    return drainNode(this.database, nodeId);
  }

  async remove(): Promise<void> {
    await this.database.repeatable((db) =>
      db.deleteFrom('forklens.nodes').where('node_id', '=', this.own.nodeId).execute(),
    );
  }
}

/** Age of the last heartbeat of a dead node that is removed from the list. */
const FORGOTTEN = '1 day';

async function listNodes(database: Database): Promise<readonly NodeFacts[]> {
  const rows = await database.repeatable((db) =>
    db
      .selectFrom('forklens.nodes')
      .select(['node_id', 'url', 'version', 'capacity', 'engines', 'waiting', 'draining'])
      .select(sql<number>`extract(epoch FROM now() - heartbeat_at)::float`.as('age'))
      .orderBy('started_at')
      .orderBy('node_id')
      .execute(),
  );
  return rows.map(({ node_id: nodeId, draining: isDraining, ...row }) => ({
    nodeId,
    isDraining,
    ...row,
  }));
}

async function drainNode(database: Database, nodeId: string): Promise<boolean> {
  const { numUpdatedRows } = await database.repeatable((db) =>
    db
      .updateTable('forklens.nodes')
      .set({ draining: true })
      .where('node_id', '=', nodeId)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** The secret by which nodes recognize each other. @param candidate becomes the secret if there is none */
export async function clusterSecret(database: Database, candidate: string): Promise<string> {
  return database.repeatable(async (db) => {
    await db
      .insertInto('forklens.cluster')
      .values({ id: 1, secret: candidate })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { secret } = await db
      .selectFrom('forklens.cluster')
      .select('secret')
      .executeTakeFirstOrThrow();
    return secret;
  });
}
