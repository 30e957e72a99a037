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
} from '../user-supplied/records';
import type { Database } from './database/database';

/** ABIs that users gave, in the database. Not cached: another node may change them. */
export class PostgresGivenAbis implements GivenAbiStore {
  constructor(private readonly database: Database) {}

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
    return (await this.findAll(user, [chain], [address])).get(address);
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
    if (chains.length === 0 || addresses.length === 0) return new Map();
    const rows = await this.database.repeatable((db) =>
      db
        .selectFrom('forklens.abis')
        .select(['chain', 'address', 'abi'])
        .where('user_id', '=', user)
        .where('chain', 'in', chains)
        .where('address', '=', (eb) => eb.fn.any(eb.val([...addresses] as string[])))
        .execute(),
    );
    // The first of the chains wins.
    rows.sort((a, b) => chains.indexOf(b.chain) - chains.indexOf(a.chain));
    return new Map(rows.map(({ address, abi }) => [address as Address, parseGivenAbi(abi)]));
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
    return toLabels(row ? parseLabels(row.labels) : []);
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
      const labels = toLabels(parseLabels(row.labels));
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
