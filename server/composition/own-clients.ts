import type { Chain } from '../api/config';
import type { RpcClient } from '../evm/forms/json-rpc';

/** Clients of chains that this process answers for itself. */
export class OwnClients {
  readonly #clients = new Map<string, RpcClient>();

  of(slug: string): RpcClient | undefined {
    return this.#clients.get(slug);
  }

  /** Those clients, and others for the chains without one. */
  before<C extends RpcClient>(others: (chain: Chain) => C): (chain: Chain) => C | RpcClient {
    return (chain) => this.of(chain.slug) ?? others(chain);
  }

  set(slug: string, client: RpcClient): void {
    this.#clients.set(slug, client);
  }

  delete(slug: string): void {
    this.#clients.delete(slug);
  }
}
