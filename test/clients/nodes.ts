import { call } from '../support/json-rpc';
import { startAnvil, type BareAnvil } from '../support/bare-anvil';
import { createFork, startService, type TestService } from '../support/service';

/** A node as a client sees it. */
export interface TestNode {
  name: 'fork' | 'anvil';
  http: string;
  ws: string;
}

const RULES = ['--chain-id', '1', '--hardfork', 'prague'];
/** Blocks of the forked chain, so that there is something older than the fork. */
const HISTORY = 8;

/**
 * A chain that plays mainnet, a service that forks it, and bare anvil 1.5.1, which forks it as well.
 * Each suite gets nodes of its own.
 */
export class Nodes {
  readonly #anvils: BareAnvil[] = [];

  private constructor(
    private readonly upstream: BareAnvil,
    private readonly service: TestService,
  ) {}

  static async start(): Promise<Nodes> {
    const upstream = await startAnvil(...RULES, '--accounts', '0');
    await call(upstream.url, 'anvil_mine', `0x${HISTORY.toString(16)}`);
    const chain = { slug: 'eth', chainId: 1, nativeSymbol: 'ETH', hardfork: 'prague' };
    const config = { chains: [{ ...chain, rpcUrls: [upstream.url] }] };
    return new Nodes(upstream, await startService({ config }));
  }

  /** @throws where the service refuses the fork */
  async fork(): Promise<TestNode> {
    const { rpc } = await createFork(this.service, { chainId: 1, height: 'latest' });
    return { name: 'fork', http: rpc, ws: rpc.replace('http', 'ws') };
  }

  async anvil(): Promise<TestNode> {
    const anvil = await startAnvil('--fork-url', this.upstream.url, ...RULES);
    this.#anvils.push(anvil);
    return { name: 'anvil', http: anvil.url, ws: anvil.url.replace('http', 'ws') };
  }

  async close(): Promise<void> {
    await Promise.all([this.service.stop(), ...this.#anvils.map((one) => one.stop())]);
    await this.upstream.stop();
  }
}
