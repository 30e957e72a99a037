import type { Endpoint } from '../../server/api/endpoint';
import type { Disposable } from '../editor/emitter';
import type { Log } from '../editor/log';
import { runEndpointCommand } from './admin-client';
import type { EndpointStore } from './endpoint-store';

/** Sends the user's endpoints to the bundled service at its start and after each change. The service keeps them only in memory. */
export class EndpointSync {
  readonly #store: EndpointStore;
  readonly #log: Log;
  readonly #subscription: Disposable;
  /** Data directory of the service in use, and the endpoints that it has received. */
  #current: { dataDirectory: string; given: Endpoint[] } | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(store: EndpointStore, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#subscription = store.onDidChange(() => void this.#enqueue());
  }

  /** Sends all endpoints to a service that has just started, before its first use. Never rejects. */
  begin(dataDirectory: string): Promise<void> {
    this.#current = { dataDirectory, given: [] };
    return this.#enqueue();
  }

  /** Resolves when all changes have reached the service. Never rejects. */
  settled(): Promise<void> {
    return this.#enqueue();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #enqueue(): Promise<void> {
    this.#last = this.#last.then(() => this.#give());
    return this.#last;
  }

  async #give(): Promise<void> {
    if (this.#current === undefined) return;
    const { dataDirectory, given } = this.#current;
    const wanted = await this.#store.list();
    const gone = given.filter(({ slug }) => !wanted.some((one) => one.slug === slug));
    const news = wanted.filter(
      (wantedOne) => !given.some((one) => JSON.stringify(one) === JSON.stringify(wantedOne)),
    );
    const run = async (slug: string, work: Promise<null>): Promise<void> => {
      try {
        await work;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#log.warn(`the endpoint of ${slug} could not be given to the service: ${reason}`);
      }
    };
    for (const { slug } of gone) {
      await run(slug, runEndpointCommand(dataDirectory, 'removeEndpoint', { slug }));
    }
    for (const endpoint of news) {
      await run(endpoint.slug, runEndpointCommand(dataDirectory, 'addEndpoint', endpoint));
    }
    this.#current.given = wanted;
  }
}
