import type { Chain } from '../../api/config';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import { AnswerCache } from './answer-cache';
import { HttpRpcClient } from './http-rpc-client';
import type { Exchange } from './rpc-endpoint';
import { UpstreamClient } from './upstream-client';

/** Passes over the endpoints of a chain while they fail: 2 to 4 s including the pauses. */
const ROUNDS = 5;

/** One client per configured chain and its endpoints, created on first use. */
export class ChainClients {
  readonly #clients = new Map<string, UpstreamClient>();

  /**
   * @param connectionTo opens connections to a chain that is not reachable over this machine's network
   * @param userAgent value of the `User-Agent` header
   * @param onExchange receives what each HTTP request to a chain came to
   */
  constructor(
    private readonly cache = new AnswerCache(),
    private readonly connectionTo?: (slug: string) => OpenConnection | undefined,
    private readonly onExchange?: (slug: string, exchange: Exchange) => void,
    private readonly userAgent?: string,
  ) {}

  of({ slug, chainId, rpcUrls }: Pick<Chain, 'slug' | 'chainId' | 'rpcUrls'>): UpstreamClient {
    // Endpoints can be added. Forks that use the client of the old endpoints keep it.
    const key = JSON.stringify([slug, chainId, rpcUrls]);
    let client = this.#clients.get(key);
    if (!client) {
      const http = new HttpRpcClient({
        name: `chain ${slug}`,
        urls: rpcUrls,
        chainId,
        rounds: ROUNDS,
        connect: this.connectionTo?.(slug),
        ...(this.userAgent === undefined ? {} : { userAgent: this.userAgent }),
        onExchange: (exchange) => this.onExchange?.(slug, exchange),
      });
      client = new UpstreamClient({ chain: slug, http, cache: this.cache });
      this.#clients.set(key, client);
    }
    return client;
  }

  /** Closes the connections. Resolves when the kept answers are on disk. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
    await this.cache.close();
  }
}
