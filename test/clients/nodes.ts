import type { Fork } from '../../server/api/fork';
import { startAnvil, type BareAnvil } from '../support/bare-anvil';
import { call } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';

export type NodeName = 'fork' | 'anvil';

/** A node as a client sees it. */
export interface TestNode {
  name: NodeName;
  http: string;
  ws: string;
  stop: () => Promise<void>;
}

const RULES = ['--chain-id', '1', '--hardfork', 'prague'];
/** Blocks of the forked chain before the fork point. */
const HISTORY = '0x8';

/** A chain that plays mainnet, a service that forks it, and bare anvil 1.5.1, which forks it as well. */
export class Nodes {
  private constructor(
    private readonly upstream: BareAnvil,
    private readonly service: TestService,
  ) {}

  static async start(): Promise<Nodes> {
    const upstream = await startAnvil(...RULES, '--accounts', '0');
    const chain = { slug: 'eth', chainId: 1, nativeSymbol: 'ETH', hardfork: 'prague' };
    const config = { chains: [{ ...chain, rpcUrls: [upstream.url] }] };
    try {
      await call(upstream.url, 'anvil_mine', HISTORY);
      return new Nodes(upstream, await startService({ config }));
    } catch (error) {
      await upstream.stop();
      throw error;
    }
  }

  /** Creates an unused node. */
  create(name: NodeName): Promise<TestNode> {
    return name === 'fork' ? this.#fork() : this.#anvil();
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.upstream.stop();
  }

  async #fork(): Promise<TestNode> {
    const fork = await createFork(this.service, { chainId: 1, height: 'latest' });
    return {
      name: 'fork',
      http: fork.rpc,
      ws: webSocketOf(fork.rpc),
      stop: () => this.#delete(fork),
    };
  }

  async #delete({ forkId }: Fork): Promise<void> {
    const path = `/v1/project/${await localProject(this.service)}/fork/${forkId}`;
    const { code, message } = await this.service.request('DELETE', path);
    if (code !== 0) throw new Error(message);
  }

  async #anvil(): Promise<TestNode> {
    const { url, stop } = await startAnvil('--fork-url', this.upstream.url, ...RULES);
    return { name: 'anvil', http: url, ws: webSocketOf(url), stop };
  }
}

const webSocketOf = (url: string): string => url.replace('http', 'ws');
