import { ApiError } from '../../api/errors';
import type { Fork } from '../../api/fork';
import type { Hash } from '../../api/primitives';
import type { SimulateBody } from '../../api/simulate';
import type { NodeRegistry } from '../cluster/node-registry';
import { callNode } from './node-commands';
import type { NodeConnections, Target } from './node-connections';

/** Time limits for answers of other nodes, in milliseconds. */
const HINT_MS = 1_000;
const VIEWS_MS = 3_000;
const DELETE_MS = 30_000;
const CACHES_MS = 300;
const SIMULATION_MS = 3_000;

/** What this node asks the other nodes. A node that does not answer in time counts as one that knows nothing. */
export class OtherNodes {
  constructor(
    private readonly registry: Pick<NodeRegistry, 'others' | 'urlOf' | 'refresh'>,
    private readonly connections: NodeConnections,
    private readonly leaseSeconds: number,
  ) {}

  /** Has all nodes read the events of the others now. */
  async look(): Promise<void> {
    await Promise.allSettled(
      this.#all().map((node) => callNode(this.connections, node, 'look', {}, HINT_MS)),
    );
  }

  /** The forks of a project that these nodes run. */
  async views(projectId: string, nodeIds: Iterable<string>): Promise<readonly Fork[]> {
    const nodes = [...nodeIds].flatMap((id) => this.#targetOf(id) ?? []);
    const answers = await Promise.allSettled(
      nodes.map((node) => callNode(this.connections, node, 'views', { projectId }, VIEWS_MS)),
    );
    return answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }

  /** Has the node that runs a fork delete it. @throws ApiError of that node; `forkElsewhere` if it does not answer */
  async deleteFork(nodeId: string, forkId: string): Promise<void> {
    const target = this.#targetOf(nodeId);
    const refusal = new ApiError(
      'forkElsewhere',
      `the node that runs fork ${forkId} does not answer; try again in ${this.leaseSeconds} s`,
      { retryAfter: this.leaseSeconds },
    );
    if (!target) throw refusal;
    await callNode(this.connections, target, 'delete', { forkId }, DELETE_MS).catch(
      (error: unknown) => {
        throw error instanceof ApiError ? error : refusal;
      },
    );
  }

  /** Whether the cache of a node has blocks of a chain. */
  async hasBlocks(nodeId: string, chainId: number): Promise<boolean> {
    const target = this.#targetOf(nodeId);
    if (!target) return false;
    return callNode(this.connections, target, 'caches', { chainId }, CACHES_MS).catch(() => false);
  }

  /** A simulation that another node recorded. */
  async simulated(id: Hash): Promise<{ chain: string; body: SimulateBody } | undefined> {
    await this.registry.refresh().catch(() => undefined); // those that are known are asked
    const answers = await Promise.allSettled(
      this.#all().map((node) =>
        callNode(this.connections, node, 'simulation', { id }, SIMULATION_MS),
      ),
    );
    return answers.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))[0];
  }

  #all(): Target[] {
    return this.registry.others.flatMap(({ nodeId }) => this.#targetOf(nodeId) ?? []);
  }

  #targetOf(nodeId: string): Target | undefined {
    const url = this.registry.urlOf(nodeId);
    return url === undefined ? undefined : { nodeId, url };
  }
}
