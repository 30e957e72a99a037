import type { Label } from '../../server/api/labels';
import type { ApiClient } from '../model/api-client';
import { Emitter } from '../editor/emitter';

/** The user's labels, which the service stores. */
export class Labels {
  readonly #client: ApiClient;
  readonly #changes = new Emitter<undefined>();
  /** Fires when the labels must be loaded again. */
  readonly onDidChange = this.#changes.event;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Sorted by name. @throws ApiError */
  async list(): Promise<Label[]> {
    const labels = await this.#client.call('listLabels', {});
    return labels.toSorted((a, b) => a.name.localeCompare(b.name));
  }

  async put(label: Label): Promise<void> {
    await this.#client.call('putLabel', { body: label });
    this.refresh();
  }

  async delete({ address, chain }: Label): Promise<void> {
    await this.#client.call('deleteLabel', {
      body: { address, ...(chain === undefined ? {} : { chain }) },
    });
    this.refresh();
  }

  refresh(): void {
    this.#changes.fire(undefined);
  }
}
