import { sql, type Selectable } from 'kysely';
import type { Scope } from '../../api/account';
import type { AccessKey, AccessKeyStore, FoundKey } from '../../projects/ports';
import type { Database, Db } from './database/database';
import type { Schema } from './database/schema';

const TABLE = 'forklens.access_keys';
type KeyRow = Selectable<Schema[typeof TABLE]>;

/** Access keys in the database. They expire by its clock. */
export class PostgresKeyStore implements AccessKeyStore {
  constructor(private readonly database: Database) {}

  insertKey(key: AccessKey, limit?: number): Promise<boolean> {
    return this.database.transact(async (transaction) => {
      if (limit !== undefined) {
        // One at a time for each user, so that the count holds.
        await transaction
          .selectFrom('forklens.users')
          .select('user_id')
          .where('user_id', '=', key.userId)
          .forUpdate()
          .execute();
        const { valid } = await transaction
          .selectFrom(TABLE)
          .select(({ fn }) => fn.countAll<number>().as('valid'))
          .where('user_id', '=', key.userId)
          .where(sql<boolean>`(expires_at IS NULL OR expires_at > now())`)
          .executeTakeFirstOrThrow();
        if (valid >= limit) return false;
      }
      await transaction
        .deleteFrom(TABLE)
        .where('user_id', '=', key.userId)
        .where(sql<boolean>`expires_at < now() - interval '30 days'`)
        .execute();
      await transaction.insertInto(TABLE).values(keyRow(key)).execute();
      return true;
    });
  }

  async findKey(keyId: string): Promise<FoundKey | undefined> {
    const row = await this.database.repeatable((db) =>
      selectKeys(db).where('key_id', '=', keyId).executeTakeFirst(),
    );
    return row && toFound(row);
  }

  async listKeys(): Promise<readonly FoundKey[]> {
    const rows = await this.database.repeatable((db) =>
      selectKeys(db).orderBy('create_time').orderBy('key_id').execute(),
    );
    return rows.map(toFound);
  }

  replaceKey(keyId: string, expiresAt: string, replacement: AccessKey): Promise<boolean> {
    return this.database.transact(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable(TABLE)
        .set({
          expires_at: sql<Date>`least(expires_at, ${expiresAt}::timestamptz)`,
          replaced_by: replacement.keyId,
        })
        .where('key_id', '=', keyId)
        .where('replaced_by', 'is', null)
        .where(sql<boolean>`(expires_at IS NULL OR expires_at > now())`)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await transaction.insertInto(TABLE).values(keyRow(replacement)).execute();
      return true;
    });
  }

  async noteKeyUses(uses: ReadonlyMap<string, string>): Promise<void> {
    // In one order, so that two nodes do not wait for each other.
    const ids = [...uses.keys()].sort();
    const times = ids.map((id) => uses.get(id));
    await this.database.repeatable((db) =>
      sql`UPDATE forklens.access_keys AS k SET last_used_at = used.at
        FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS used (key_id, at)
        WHERE k.key_id = used.key_id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`.execute(
        db,
      ),
    );
  }

  async deleteKey(keyId: string): Promise<boolean> {
    const { numDeletedRows } = await this.database.once((db) =>
      db.deleteFrom('forklens.access_keys').where('key_id', '=', keyId).executeTakeFirst(),
    );
    return numDeletedRows > 0n;
  }
}

const selectKeys = (db: Db) =>
  db
    .selectFrom(TABLE)
    .selectAll()
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('is_expired'));

const toFound = ({ is_expired, ...row }: KeyRow & { is_expired: boolean }): FoundKey => ({
  ...toKey(row),
  ...(is_expired ? { isExpired: true } : {}),
});

export const keyRow = (key: AccessKey): KeyRow => ({
  key_id: key.keyId,
  user_id: key.userId,
  label: key.label,
  scopes: key.scopes,
  hash: key.hash,
  create_time: key.createTime,
  expires_at: key.expiresAt === undefined ? null : new Date(key.expiresAt),
  last_used_at: key.lastUsedAt === undefined ? null : new Date(key.lastUsedAt),
  replaced_by: key.replacedBy ?? null,
});

export const toKey = (row: KeyRow): AccessKey => ({
  keyId: row.key_id,
  userId: row.user_id,
  label: row.label,
  scopes: row.scopes as Scope[],
  hash: row.hash,
  createTime: row.create_time,
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at.toISOString() }),
  ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at.toISOString() }),
  ...(row.replaced_by === null ? {} : { replacedBy: row.replaced_by }),
});
