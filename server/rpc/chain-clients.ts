import type { Chain } from '../api/config';
import type { OpenConnection } from '../ethereum/engine';
import type { RpcClient } from '../ethereum/json-rpc';
import { AnswerCache } from './answer-cache';
import { HttpRpcClient } from './http-rpc-client';
import { UpstreamClient } from './upstream-client';

/** Passes over the endpoints of a chain where they fail: 2 to 4 s with the pauses between them. */
const ROUNDS = 5;

/** One client per configured chain and its endpoints, made when it is first asked for. */
export class ChainClients {
  readonly #clients = new Map<string, UpstreamClient>();

  /** @param connectionTo the way to a chain that this machine's network does not reach */
  constructor(
    private readonly cache = new AnswerCache(),
    private readonly connectionTo?: (slug: string) => OpenConnection | undefined,
  ) {}

  of({ slug, chainId, rpcUrls }: Pick<Chain, 'slug' | 'chainId' | 'rpcUrls'>): RpcClient {
    // Endpoints can be added: forks that use the client of the old ones keep it.
    const key = [slug, chainId, ...rpcUrls].join(' ');
    let client = this.#clients.get(key);
    if (!client) {
      const http = new HttpRpcClient({
        name: `chain ${slug}`,
        urls: rpcUrls,
        chainId,
        rounds: ROUNDS,
        connect: this.connectionTo?.(slug),
      });
      client = new UpstreamClient({ chain: slug, http, cache: this.cache });
      this.#clients.set(key, client);
    }
    return client;
  }

  /** Ends the connections; what is kept is on disk when it resolves. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
    await this.cache.close();
  }
}
