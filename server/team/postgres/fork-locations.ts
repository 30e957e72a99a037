import { sql } from 'kysely';
import type { LocatedFork } from '../../forks/life/ports';
import type { Database } from './database/database';
import type { Schema } from './database/schema';
import { toForkRecord } from './fork-store';

type Key = { forkId: string } | { secret: string } | { projectId: string };

/** Fork records with the leases of the nodes that run them, as they are in the database now. */
export class ForkLocations {
  constructor(
    private readonly database: Database,
    private readonly nodeId: string,
  ) {}

  async find(key: { forkId: string } | { secret: string }): Promise<LocatedFork | undefined> {
    return (await this.#select(key))[0];
  }

  /** In order of creation. */
  list(projectId: string): Promise<readonly LocatedFork[]> {
    return this.#select({ projectId });
  }

  /** The forks of these whose newest lease was another node's, with its epoch. */
  async movedAway(forkIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.repeatable((db) =>
      db
        .selectFrom('forklens.leases')
        .select(['fork_id', 'epoch'])
        .where('fork_id', '=', (eb) => eb.fn.any(eb.val([...forkIds])))
        .where('node_id', '!=', this.nodeId)
        .execute(),
    );
    return new Map(rows.map(({ fork_id, epoch }) => [fork_id, epoch]));
  }

  async #select(key: Key): Promise<LocatedFork[]> {
    const rows = await this.database.repeatable((db) => {
      const all = db
        .selectFrom('forklens.forks as f')
        .leftJoin('forklens.leases as l', 'l.fork_id', 'f.fork_id')
        .selectAll('f')
        .select(['l.node_id as owner', 'l.epoch'])
        .select(sql<number | null>`extract(epoch FROM l.expires_at - now())::float`.as('seconds'))
        .orderBy('f.create_time')
        .orderBy('f.fork_id');
      if ('forkId' in key) return all.where('f.fork_id', '=', key.forkId).execute();
      if ('secret' in key) return all.where('f.secret', '=', key.secret).execute();
      return all.where('f.project_id', '=', key.projectId).execute();
    });
    return rows.map(toLocated);
  }
}

type Row = Schema['forklens.forks'] & {
  owner: string | null;
  epoch: number | null;
  seconds: number | null;
};

function toLocated({ owner, epoch, seconds, ...row }: Row): LocatedFork {
  const isHeld = owner !== null && seconds !== null && seconds > 0;
  return {
    record: toForkRecord(row),
    epoch: epoch ?? 0,
    ...(owner === null ? {} : { lastOwner: owner }),
    ...(isHeld ? { owner, freeIn: seconds } : {}),
  };
}
