import { sql } from 'kysely';
import { ApiError } from '../../api/errors';
import type { Address } from '../../api/primitives';
import {
  labelsText,
  parseGivenAbi,
  parseLabels,
  toLabels,
  type GivenAbiKey,
  type GivenAbiRecord,
  type GivenAbiStore,
  type LabelRecord,
  type Labels,
  type LabelStore,
} from '../../store/user-supplied/records';
import type { Database } from './database/database';

interface AbiRow {
  chain: string;
  address: string;
  abi: string;
}

/** Parses a record. @param what names it in the error @throws ApiError `storageDamaged` */
function parsed<T>(text: string, parse: (text: string) => T, what: string): T {
  try {
    return parse(text);
  } catch (cause) {
    const message = `${what} in the database cannot be read: restore a backup of the database`;
    throw new ApiError('storageDamaged', message, { cause });
  }
}

const abiIn = ({ chain, address, abi }: AbiRow): GivenAbiRecord =>
  parsed(abi, parseGivenAbi, `the ABI of ${address} on ${chain}`);

const labelsIn = (text: string): LabelRecord[] =>
  parsed(text, parseLabels, 'the labels of the user');

/** ABIs that users gave, in the database. Not cached: another node may change them. */
export class PostgresGivenAbis implements GivenAbiStore {
  constructor(
    private readonly database: Database,
    private readonly log: { warn: (facts: object, message: string) => void },
  ) {}

  async put({ user, chain, address }: GivenAbiKey, record: GivenAbiRecord): Promise<void> {
    const abi = JSON.stringify(record);
    await this.database.repeatable((db) =>
      db
        .insertInto('forklens.abis')
        .values({ user_id: user, chain, address, abi })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'chain', 'address']).doUpdateSet({ abi }),
        )
        .execute(),
    );
  }

  async find({ user, chain, address }: GivenAbiKey): Promise<GivenAbiRecord | undefined> {
    const [row] = await this.#rows(user, [chain], [address]);
    return row && abiIn(row);
  }

  async delete({ user, chain, address }: GivenAbiKey): Promise<boolean> {
    const { numDeletedRows } = await this.database.once((db) =>
      db
        .deleteFrom('forklens.abis')
        .where('user_id', '=', user)
        .where('chain', '=', chain)
        .where('address', '=', address)
        .executeTakeFirst(),
    );
    return numDeletedRows > 0n;
  }

  async findAll(
    user: string,
    chains: readonly string[],
    addresses: readonly Address[],
  ): Promise<ReadonlyMap<Address, GivenAbiRecord>> {
    const found = new Map<Address, GivenAbiRecord>();
    const rows = await this.#rows(user, chains, addresses);
    // The first of the chains wins.
    rows.sort((a, b) => chains.indexOf(a.chain) - chains.indexOf(b.chain));
    for (const row of rows) {
      const address = row.address as Address;
      const record = found.get(address) ?? this.#readable(row);
      if (record) found.set(address, record);
    }
    return found;
  }

  /** undefined for a damaged one, of which the log tells */
  #readable(row: AbiRow): GivenAbiRecord | undefined {
    try {
      return abiIn(row);
    } catch (error) {
      this.log.warn({ err: error }, 'an ABI that a user gave is ignored');
      return undefined;
    }
  }

  async #rows(
    user: string,
    chains: readonly string[],
    addresses: readonly Address[],
  ): Promise<AbiRow[]> {
    if (chains.length === 0 || addresses.length === 0) return [];
    return this.database.repeatable((db) =>
      db
        .selectFrom('forklens.abis')
        .select(['chain', 'address', 'abi'])
        .where('user_id', '=', user)
        .where('chain', 'in', chains)
        .where('address', '=', (eb) => eb.fn.any(eb.val([...addresses] as string[])))
        .execute(),
    );
  }

  async revision(user: string): Promise<string> {
    const [row] = await this.database.repeatable(async (db) => {
      const { rows } = await sql<{ revision: string | null }>`
        SELECT md5(string_agg(chain || ' ' || address || ' ' || md5(abi), ',' ORDER BY chain, address)) AS revision
        FROM forklens.abis WHERE user_id = ${user}`.execute(db);
      return rows;
    });
    return row?.revision ?? '';
  }

  async *keys(): AsyncGenerator<GivenAbiKey> {
    const rows = await this.database.repeatable((db) =>
      db.selectFrom('forklens.abis').select(['user_id', 'chain', 'address']).execute(),
    );
    for (const { user_id, chain, address } of rows) {
      yield { user: user_id, chain, address: address as Address };
    }
  }
}

/** Labels that users gave, in the database: one row per user. */
export class PostgresLabels implements LabelStore {
  constructor(private readonly database: Database) {}

  async read(user: string): Promise<Labels> {
    const row = await this.database.repeatable((db) =>
      db
        .selectFrom('forklens.labels')
        .select('labels')
        .where('user_id', '=', user)
        .executeTakeFirst(),
    );
    return toLabels(row ? labelsIn(row.labels) : []);
  }

  change(user: string, edit: (labels: Map<string, LabelRecord>) => void): Promise<void> {
    return this.database.transact(async (transaction) => {
      await transaction
        .insertInto('forklens.labels')
        .values({ user_id: user, labels: labelsText(new Map()) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await transaction
        .selectFrom('forklens.labels')
        .select('labels')
        .where('user_id', '=', user)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const labels = toLabels(labelsIn(row.labels));
      edit(labels);
      await transaction
        .updateTable('forklens.labels')
        .set({ labels: labelsText(labels) })
        .where('user_id', '=', user)
        .execute();
    });
  }

  async *users(): AsyncGenerator<string> {
    const rows = await this.database.repeatable((db) =>
      db.selectFrom('forklens.labels').select('user_id').orderBy('user_id').execute(),
    );
    for (const { user_id } of rows) yield user_id;
  }
}
