import type { Fork } from '../../server/api/fork';
import { locatedForks } from '../../server/client/located-forks';
import type { ApiCallOptions, ApiClient } from '../model/api-client';
import type { Service } from '../model/service';

/** The fork that a book is bound to; undefined if it does not exist, or for the name of a chain. @throws ApiError */
export async function boundFork(
  client: ApiClient,
  network: string,
  options: ApiCallOptions = {},
): Promise<Fork | undefined> {
  if (!network.startsWith('fork_')) return undefined;
  const projects = await client.call('listProjects', {}, options);
  const forks = await locatedForks(client, projects, options);
  return forks.find(({ fork }) => fork.forkId === network)?.fork;
}

/** Keeps the forks of open books, so that each is looked up once. */
export class BoundForks {
  #forks = new Map<string, Promise<Fork | undefined>>();

  constructor(
    private readonly client: ApiClient,
    private readonly service: Pick<Service, 'state'>,
  ) {}

  /** Undefined if it is not known: a service that does not run is not started, because a book only shows the name. */
  find(network: string): Promise<Fork | undefined> {
    if (this.service.state.kind !== 'running') return Promise.resolve(undefined);
    const known = this.#forks.get(network);
    if (known !== undefined) return known;
    const found = boundFork(this.client, network).catch(() => undefined);
    this.#forks.set(network, found);
    return found;
  }

  forget(): void {
    this.#forks = new Map();
  }
}
