import * as z from 'zod';
import { endpointSchema, type Endpoint } from '../../server/api/endpoint';
import { Emitter, type Disposable } from '../editor/emitter';
import type { SecretStore } from '../editor/secrets';

const KEY = 'forklens.endpoints';
const listSchema = z.array(endpointSchema);

/** The user's own RPC endpoints. Their URLs contain provider keys, so they are stored only in the editor's secret storage. */
export class EndpointStore {
  readonly #store: SecretStore;
  readonly #changes = new Emitter<undefined>();
  readonly #subscription: Disposable;
  /** Fires when the endpoints change in any window. */
  readonly onDidChange = this.#changes.event;

  constructor(store: SecretStore) {
    this.#store = store;
    this.#subscription = store.onDidChange(({ key }) => {
      if (key === KEY) this.#changes.fire(undefined);
    });
  }

  /** Sorted by slug; empty if the stored entry is invalid. */
  async list(): Promise<Endpoint[]> {
    try {
      const endpoints = listSchema.parse(JSON.parse((await this.#store.get(KEY)) ?? '[]'));
      return endpoints.sort((a, b) => a.slug.localeCompare(b.slug));
    } catch {
      return [];
    }
  }

  /** Replaces an endpoint with the same slug. */
  async put(endpoint: Endpoint): Promise<void> {
    const others = (await this.list()).filter(({ slug }) => slug !== endpoint.slug);
    await this.#store.store(KEY, JSON.stringify([...others, endpoint]));
  }

  async remove(slug: string): Promise<void> {
    const others = (await this.list()).filter((endpoint) => endpoint.slug !== slug);
    await this.#store.store(KEY, JSON.stringify(others));
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
