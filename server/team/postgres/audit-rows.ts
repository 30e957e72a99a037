import type { AuditFilter, AuditRecord, AuditStore } from '../../projects/ports';
import type { Database } from './database/database';

const TABLE = 'forklens.audit_log';
/** Newest entries that are kept. */
const KEPT = 100_000;
/** Entries of a process after which old ones are removed. */
const TRIM_EVERY = 500;

/** The audit log as rows. */
export class AuditRows implements AuditStore {
  dropped: Date | undefined;
  #appended = 0;

  constructor(
    private readonly database: Database,
    private readonly kept = KEPT,
    private readonly trimEvery = TRIM_EVERY,
  ) {}

  async append(record: AuditRecord): Promise<void> {
    const { id, action, projectId, userId, ownerId } = record;
    await this.database.repeatable((db) =>
      db
        .insertInto(TABLE)
        .values({
          id,
          action,
          entry: JSON.stringify(record),
          project_id: projectId ?? null,
          user_id: userId ?? null,
          owner_id: ownerId ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    if (++this.#appended % this.trimEvery === 0) await this.#trim();
  }

  async list({ limit, before, reader, action, project }: AuditFilter): Promise<AuditRecord[]> {
    const rows = await this.database.repeatable((db) => {
      let query = db.selectFrom(TABLE).select('entry').orderBy('id', 'desc').limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      if (action !== undefined) query = query.where('action', '=', action);
      if (project !== undefined) query = query.where('project_id', '=', project);
      if (reader !== undefined) {
        query = query.where((eb) =>
          eb.or([eb('user_id', '=', reader), eb('owner_id', '=', reader)]),
        );
      }
      return query.execute();
    });
    return rows.map(({ entry }) => JSON.parse(entry) as AuditRecord);
  }

  async #trim(): Promise<void> {
    const [youngest] = await this.database.repeatable((db) =>
      db.selectFrom(TABLE).select('id').orderBy('id', 'desc').offset(this.kept).limit(1).execute(),
    );
    if (youngest === undefined) return;
    await this.database.repeatable((db) =>
      db.deleteFrom(TABLE).where('id', '<=', youngest.id).execute(),
    );
    // An id begins with the time.
    this.dropped = new Date(parseInt(youngest.id.slice(0, 12), 16));
  }
}
