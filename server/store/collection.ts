import type { JsonStore } from './json-store';
import type { StoreData } from './schema';

/** The value of an id, never an inherited property: ids come from clients. */
export function lookUp<T>(records: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}

/** Whole records of one kind by id, in the order of their creation. Changes resolve when they are on disk. */
export class Collection<R extends object> {
  readonly #store: JsonStore;
  readonly #name: keyof StoreData & 'forks';

  /** The records must be plain JSON, and `R` what was put in: the store does not know their shape. */
  constructor(store: JsonStore, name: keyof StoreData & 'forks') {
    this.#store = store;
    this.#name = name;
  }

  get(id: string): R | undefined {
    return lookUp(this.#store.data[this.#name], id) as R | undefined;
  }

  list(): R[] {
    return Object.values(this.#store.data[this.#name]) as R[];
  }

  put(id: string, record: R): Promise<void> {
    return this.#store.change((data) => {
      data[this.#name][id] = record as Record<string, unknown>;
    });
  }

  delete(id: string): Promise<void> {
    return this.#store.change((data) => {
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the record is the file's JSON object
      delete data[this.#name][id];
    });
  }
}
