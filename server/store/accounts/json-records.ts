import type { JsonStore } from './json-store';
import type { StoreData } from './schema';

/** All records of the JSON store at once. */
export class JsonRecords {
  constructor(
    private readonly store: JsonStore,
    /** Whether the data directory has no data. */
    readonly isEmpty: () => Promise<boolean>,
  ) {}

  readAll(): Promise<StoreData> {
    return Promise.resolve(this.store.data);
  }

  /** Adds all records, or none. */
  async writeAll(data: StoreData): Promise<void> {
    await this.store.change((draft) => {
      for (const kind of ['users', 'keys', 'projects', 'forks', 'usage'] as const) {
        Object.assign(draft[kind], data[kind]);
      }
      return true;
    });
  }
}
