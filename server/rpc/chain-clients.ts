import type { Chain } from '../api/config';
import type { RpcClient } from '../ethereum/json-rpc';
import { HttpRpcClient } from './http-rpc-client';

/** One client per configured chain, made when it is first asked for. */
export class ChainClients {
  readonly #clients = new Map<string, HttpRpcClient>();

  of(chain: Pick<Chain, 'slug' | 'rpcUrls'>): RpcClient {
    let client = this.#clients.get(chain.slug);
    if (!client) {
      client = new HttpRpcClient({ name: `chain ${chain.slug}`, urls: chain.rpcUrls });
      this.#clients.set(chain.slug, client);
    }
    return client;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
  }
}
