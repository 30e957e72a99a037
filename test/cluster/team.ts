import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fork } from '../../server/api/fork';
import { Balancer } from '../support/balancer';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import type { PostgresCluster } from '../support/postgres';
import { PostgresProxy } from '../support/postgres-proxy';
import { commandLineOf } from '../support/proc';
import { childrenOf, signalAll } from '../support/processes';
import {
  localProject,
  requestsTo,
  startProcess,
  type Answer,
  type RequestOptions,
  type ServiceOptions,
  type TestService,
} from '../support/service';

export const LEASE_SECONDS = 2;
/** Time to recover from a fault, on a slow machine: a deadline against hangs. */
export const RECOVERY_MS = 60_000;
export const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

export interface TeamOptions {
  leaseSeconds?: number;
  /** Folder whose `dist/` holds the service; by default this project's. */
  root?: string | undefined;
  /** Of the URLs by which nodes reach each other. Default: http. */
  scheme?: 'http' | 'https';
  /** Starts HAProxy before the nodes. */
  balanced?: boolean;
  /** What the nodes connect to. Default: the cluster. */
  pooler?: Pick<PostgresCluster, 'folder'>;
  /** How each node is started. Default: with the sandbox. */
  service?: ServiceOptions;
  /** Data directory of the first node, which stays. Default: temporary, as those of all others. */
  dataDir?: string | undefined;
  /** A database of the cluster that exists already. Default: a new one. */
  database?: string;
}

/** Where requests reach the team: a node, or the balancer. */
export type Way = Pick<TestService, 'url' | 'request'>;

/** Several real services on one database, with HAProxy in front if wanted. Each reaches the database by a proxy of its own. */
export class Team {
  readonly nodes: TestService[] = [];
  readonly #proxies = new Map<TestService, PostgresProxy>();
  /** Nodes that the balancer has got. */
  readonly #balanced = new Set<TestService>();
  /** Access key of the first node's local user, valid at every node. */
  key = '';
  project = '';

  private constructor(
    private readonly cluster: PostgresCluster,
    readonly database: string,
    private readonly options: TeamOptions,
    private readonly balancer: Balancer | undefined,
  ) {}

  get url(): string {
    return this.cluster.urlOf(this.database);
  }

  /** @param args of every node */
  static async start(
    cluster: PostgresCluster,
    count: number,
    args: readonly string[] = [],
    options: TeamOptions = {},
  ): Promise<Team> {
    const { database = await cluster.createDatabase(), balanced = false } = options;
    const balancer = balanced ? await Balancer.start() : undefined;
    const team = new Team(cluster, database, options, balancer);
    try {
      for (let index = 0; index < count; index++) await team.add(args);
    } catch (error) {
      await team.stop();
      throw error;
    }
    return team;
  }

  async add(args: readonly string[] = []): Promise<TestService> {
    const port = await freePort();
    const proxy = await PostgresProxy.open(this.options.pooler ?? this.cluster);
    const { leaseSeconds = LEASE_SECONDS, root, dataDir, service = SANDBOX } = this.options;
    const { scheme = 'http' } = this.options;
    const isFirst = this.nodes.length === 0;
    // A role of its own, so that the database knows which node wrote a row.
    const role = `node_${randomBytes(8).toString('hex')}`;
    await this.query(`CREATE ROLE ${role} LOGIN SUPERUSER`);
    const node = await startProcess({
      ...service,
      args: [
        '--lease-seconds',
        String(leaseSeconds),
        '--port',
        String(port),
        '--node-url',
        `${scheme}://127.0.0.1:${port}`,
        ...(this.balancer ? ['--public-url', this.balancer.url] : []),
        ...(service.args ?? []),
        ...args,
      ],
      ...(isFirst && dataDir !== undefined ? { dataDir } : {}),
      env: { ...service.env, FORKLENS_DATABASE_URL: proxy.urlOf(this.database, role) },
      root,
    }).catch(async (error: unknown) => {
      await proxy.close();
      throw error;
    });
    this.nodes.push(node);
    this.#proxies.set(node, proxy);
    void node.exited.then(() => proxy.close());
    if (this.key === '') {
      this.key = node.key;
      this.project = await localProject(node);
    }
    await this.#balance(node);
    return node;
  }

  /** Where clients reach the team that have one address for it. */
  get front(): Way {
    if (!this.balancer) throw new Error('the team has no balancer');
    const { url } = this.balancer;
    return { url, request: requestsTo(url, this.key) };
  }

  /** Every way to the team. */
  get ways(): readonly Way[] {
    return this.balancer ? [this.front, ...this.nodes] : this.nodes;
  }

  /** Has the balancer cut its connections to a node, and make none. @returns ends it */
  async loseAtBalancer(node: TestService): Promise<() => Promise<void>> {
    await this.balancer?.lose(portOf(node));
    return async () => this.balancer?.find(portOf(node));
  }

  /** The way of a node to the database. */
  proxyOf(node: TestService): PostgresProxy {
    return this.#proxies.get(node)!;
  }

  /** A request with the key of the team. */
  async request<T>(
    node: Way,
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    return node.request<T>(method, path, { key: this.key, ...options });
  }

  /** Creates a fork by one of the nodes, which may have another one run it. */
  async createFork(node: Way, name = 'test'): Promise<Fork> {
    const body = { chainId: 31337, name };
    const path = `/v1/project/${this.project}/fork`;
    const answer = await this.request<Fork>(node, 'POST', path, { body });
    if (answer.message !== 'OK') throw new Error(answer.message);
    return answer.data;
  }

  /** The node that has the lease of the fork. */
  async ownerOf({ forkId }: Fork): Promise<TestService> {
    const found = await this.query<{ url: string }>(
      `SELECT n.url FROM forklens.leases l JOIN forklens.nodes n ON n.node_id = l.node_id
        WHERE l.fork_id = '${forkId}' AND l.expires_at > now()`,
    );
    const owner = this.nodes.find(({ url }) => url === found[0]?.url);
    if (!owner) throw new Error(`no node has the lease of ${forkId}`);
    return owner;
  }

  /** A node that does not run the fork. */
  otherThan(owner: TestService): TestService {
    return this.nodes.find((node) => node !== owner)!;
  }

  /** Waits until no node runs the fork: its node's engines are ended, as after a long time without requests. */
  async sleep(fork: Fork): Promise<void> {
    const owner = await this.ownerOf(fork);
    const engines = childrenOf(owner.child.pid!).filter((pid) =>
      commandLineOf(pid).includes('--fork-url'),
    );
    signalAll(engines, 'SIGTERM');
    await eventually(async () => {
      const held = await this.query(
        `SELECT 1 FROM forklens.leases WHERE fork_id = '${fork.forkId}' AND expires_at > now()`,
      );
      if (held.length > 0) throw new Error('the fork is awake');
    }, RECOVERY_MS);
  }

  /** As if the clock of the database were at the end of the lease of a killed node. */
  async expire({ url }: TestService): Promise<void> {
    const node = `(SELECT node_id FROM forklens.nodes WHERE url = '${url}')`;
    await this.query(`UPDATE forklens.leases SET expires_at = now() WHERE node_id = ${node}`);
    await this.query(
      `UPDATE forklens.nodes SET heartbeat_at = now() - interval '1 hour' WHERE url = '${url}'`,
    );
  }

  query<Row>(text: string): Promise<Row[]> {
    return this.cluster.query<Row>(text, this.database);
  }

  /** Kills the nodes. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.splice(0).map((node) => node.kill()));
    await this.balancer?.close();
  }

  async #balance(node: TestService): Promise<void> {
    if (!this.balancer) return;
    for (const known of this.#balanced) {
      if (this.nodes.includes(known)) continue;
      this.#balanced.delete(known);
      await this.balancer.remove(portOf(known));
    }
    this.#balanced.add(node);
    await this.balancer.add(portOf(node));
  }
}

const SANDBOX: ServiceOptions = { args: ['--sandbox'] };

const portOf = ({ url }: TestService): number => Number(new URL(url).port);

/** The address of a fork at one of the nodes, or at the balancer. */
export const at = (node: Way, { rpc }: Fork): string => node.url + new URL(rpc).pathname;

const RETRY_MS = 50;

/** Sends transactions one after the other until it is stopped. Counts those that were acknowledged. */
export class Sender {
  acknowledged = 0;
  readonly failures: string[] = [];
  #isStopped = false;
  readonly #over: Promise<void>;

  /** @param send rejects for a transaction that was not acknowledged */
  constructor(send: () => Promise<unknown>) {
    this.#over = this.#run(send);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#over;
  }

  /** Resolves when this many more transactions are acknowledged. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged + count;
    await eventually(() => {
      if (this.acknowledged >= wanted) return;
      throw new Error(
        `${this.acknowledged} of ${wanted} acknowledged; ${this.failures.join('; ')}`,
      );
    }, RECOVERY_MS);
  }

  async #run(send: () => Promise<unknown>): Promise<void> {
    while (!this.#isStopped) {
      try {
        await send();
        this.acknowledged++;
      } catch (error) {
        this.failures.push((error as Error).message);
        await delay(RETRY_MS);
      }
    }
  }
}
