import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import type { ForkExecutions, UsageStore } from '../../projects/ports';
import type { Database, Db } from './database/database';

/** Delay in milliseconds for writing several executions together. The journals of the forks contain them already. */
const WRITE_MS = 250;
/** Executions that one transaction writes. */
const BATCH = 500;

type Counted = ForkExecutions & { projectId: string };

/** Counters in the database. Executions are written some time after they are reported, and before a reader sums them. */
export class PostgresUsageStore implements UsageStore {
  #pending: Counted[] = [];
  #due: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  addUsage(projectId: string, executions: ForkExecutions): Promise<void> {
    this.#pending.push({ ...executions, projectId });
    return (this.#due ??= delay(WRITE_MS).then(() => {
      this.#due = undefined;
      return this.settled();
    }));
  }

  async sumUsage(projectId: string, firstDay: string, lastDay: string): Promise<number> {
    await this.settled();
    const { sum } = await this.database.repeatable((db) =>
      db
        .selectFrom('forklens.usage')
        .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('sum'))
        .where('project_id', '=', projectId)
        .where('day', '>=', firstDay)
        .where('day', '<=', lastDay)
        .executeTakeFirstOrThrow(),
    );
    return sum;
  }

  /** Settles when everything that was reported is written. Executions that could not be written are part of the next attempt. */
  settled(): Promise<void> {
    const attempt = this.#writing.catch(() => undefined).then(() => this.#write());
    this.#writing = attempt;
    attempt.catch(() => undefined); // the callers get the error
    return attempt;
  }

  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, BATCH);
      // A repetition after a lost connection counts nothing twice: the forks' rows contain the last sequences.
      await this.database.repeatable((db) =>
        db.transaction().execute(async (transaction) => {
          for (const executions of inOrder(batch)) await count(transaction, executions);
        }),
      );
      this.#pending.splice(0, batch.length);
    }
  }
}

/** By fork, so that the transactions of two nodes lock rows in the same order. The sequences of a fork stay in their order. */
const inOrder = (batch: readonly Counted[]): Counted[] =>
  [...batch].sort((a, b) => (a.forkId < b.forkId ? -1 : a.forkId > b.forkId ? 1 : 0));

/** Counts nothing twice, nothing for a deleted project, and executions of a deleted fork. */
async function count(
  transaction: Db,
  { projectId, forkId, sequence, day, count }: Counted,
): Promise<void> {
  const fork = await transaction
    .selectFrom('forklens.forks')
    .select('counted')
    .where('fork_id', '=', forkId)
    .forUpdate()
    .executeTakeFirst();
  if (fork && sequence <= (fork.counted ?? 0)) return;
  if (fork) {
    await transaction
      .updateTable('forklens.forks')
      .set({ counted: sequence })
      .where('fork_id', '=', forkId)
      .execute();
  }
  await sql`INSERT INTO forklens.usage (project_id, day, count)
    SELECT project_id, ${day}, ${count}::bigint FROM forklens.projects WHERE project_id = ${projectId}
    ON CONFLICT (project_id, day) DO UPDATE SET count = usage.count + excluded.count`.execute(
    transaction,
  );
}
