import { hasRoom, leastLoaded } from './least-loaded';

/** A node as the table describes it. */
export interface NodeFacts {
  nodeId: string;
  /** Where other nodes reach it; null: they do not. */
  url: string | null;
  version: string;
  /** Engines that it may run at a time. */
  capacity: number;
  /** Forks that it runs. */
  engines: number;
  /** Requests that wait for an engine. */
  waiting: number;
  /** It takes no more forks, and gives its own away. */
  isDraining: boolean;
  /** Seconds since its last heartbeat, by the clock of the table. */
  age: number;
}

export type NodeLoad = Pick<NodeFacts, 'engines' | 'waiting'>;

/** The nodes that use one database. Times are of the clock of the table, not of a node. */
export interface NodeTable {
  /** Adds this node, or replaces what it was before its restart. It does not drain. */
  register(): Promise<void>;
  /** Records that this node lives. @returns all nodes */
  beat(load: NodeLoad): Promise<readonly NodeFacts[]>;
  list(): Promise<readonly NodeFacts[]>;
  /** Asks a node to give its forks away. @returns false if there is no such node */
  drain(nodeId: string): Promise<boolean>;
  /** Removes this node. */
  remove(): Promise<void>;
}

export interface NodeRegistryOptions {
  nodeId: string;
  table: NodeTable;
  /** A node without a heartbeat for this time is dead: its leases have expired. */
  leaseSeconds: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Called again and again for another node that is dead, or whose leases have expired while the table does not answer. */
  onDead: (nodeId: string) => void;
  onBeatFailed: (error: unknown) => void;
}

/** What a node that takes part does. */
export interface NodeDuties {
  load: () => NodeLoad;
  /** Called when this node is to give its forks away. */
  onDrain: () => void;
  /** Called after each heartbeat. */
  onBeat: () => Promise<void>;
}

/** Heartbeats per duration of a lease. */
const BEATS = 5;

/** Knows the other nodes, by heartbeats. */
export class NodeRegistry {
  readonly #options: NodeRegistryOptions;
  /** Undefined until this node takes part. */
  #duties: NodeDuties | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nodes: readonly NodeFacts[] = [];
  /** Forks that were given to each node since its last heartbeat. */
  readonly #placed = new Map<string, number>();
  #read = -Infinity;
  #isBeating = false;
  #isDraining = false;

  constructor(options: NodeRegistryOptions) {
    this.#options = options;
  }

  /** Registers this node, which serves requests from now on. */
  async start(duties: NodeDuties): Promise<void> {
    this.#duties = duties;
    await this.#options.table.register();
    await this.beat();
    this.#timer = setInterval(() => {
      // Also while the table does not answer: the leases of the other nodes end all the same.
      this.#reportDead(this.#nodes);
      this.beat().catch(this.#options.onBeatFailed);
    }, this.beatMs).unref();
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether forks may start here: a node that drains starts them only where all others drain as well. */
  get mayStartForks(): boolean {
    return !this.#isDraining || this.others.every(({ isDraining }) => isDraining);
  }

  /** The other nodes that live and can be reached. */
  get others(): readonly NodeFacts[] {
    return this.#nodes.filter(
      ({ nodeId, url }) => nodeId !== this.#options.nodeId && url !== null && this.isAlive(nodeId),
    );
  }

  /** Base URL of another node; undefined if it is dead or unreachable. */
  urlOf(nodeId: string): string | undefined {
    return this.others.find((node) => node.nodeId === nodeId)?.url ?? undefined;
  }

  isAlive(nodeId: string): boolean {
    const found = this.#nodes.find((node) => node.nodeId === nodeId);
    return found !== undefined && this.#ageOf(found) < this.#options.leaseSeconds;
  }

  /**
   * Nodes for a fork that no node runs.
   * @param excluded nodes that refused it
   * @param last the node that ran it last, whose clients wait for news of it
   * @returns their ids: the last node if it has room, else the least loaded nodes with room, else the least loaded ones, in whose queue
   * the fork waits. All suit equally; this node comes first
   */
  candidates(excluded: ReadonlySet<string>, last?: string): readonly [string, ...string[]] {
    const { nodeId } = this.#options;
    const nodes = this.others
      .filter((node) => !node.isDraining && !excluded.has(node.nodeId))
      .map((node) => ({ ...node, placed: this.#placed.get(node.nodeId) ?? 0 }));
    const own = this.#ownLoad();
    if (own && !this.#isDraining) nodes.unshift(own);
    const previous = nodes.find((node) => node.nodeId === last && hasRoom(node));
    const [first, ...equals] = previous ? [previous] : leastLoaded(nodes);
    return [first?.nodeId ?? nodeId, ...equals.map((node) => node.nodeId)];
  }

  /** Counts a fork that a node was given, until its next heartbeat. */
  place(nodeId: string): void {
    this.#placed.set(nodeId, (this.#placed.get(nodeId) ?? 0) + 1);
  }

  /** Reads the other nodes, of which some may have started since the last heartbeat. */
  async refresh(): Promise<void> {
    const { table, now } = this.#options;
    const sent = now();
    this.#nodes = await table.list();
    this.#read = sent;
  }

  /** Takes no more forks from now on, and reads the other nodes. */
  async drain(): Promise<void> {
    const { table, nodeId } = this.#options;
    this.#isDraining = true;
    await table.drain(nodeId);
    await this.refresh();
  }

  /** Records that this node lives, and reads the others. Does nothing before `start`. */
  async beat(): Promise<void> {
    if (this.#isBeating || !this.#duties) return;
    this.#isBeating = true;
    const { table, now, nodeId } = this.#options;
    const { load, onDrain, onBeat } = this.#duties;
    try {
      const sent = now();
      const before = this.#nodes;
      this.#nodes = await table.beat(load());
      this.#read = sent;
      this.#placed.clear();
      this.#reportDead(before);
      const isAsked = this.#nodes.some((node) => node.nodeId === nodeId && node.isDraining);
      if (isAsked && !this.#isDraining) {
        this.#isDraining = true;
        onDrain();
      }
      await onBeat();
    } finally {
      this.#isBeating = false;
    }
  }

  #reportDead(nodes: readonly NodeFacts[]): void {
    const { nodeId: own, onDead } = this.#options;
    for (const { nodeId } of nodes) if (nodeId !== own && !this.isAlive(nodeId)) onDead(nodeId);
  }

  /** Ends the heartbeats, and removes this node. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#options.table.remove();
  }

  /** Time after which the other nodes know a change of this one, in milliseconds, if the database answers. */
  get beatMs(): number {
    return this.#leaseMs / BEATS;
  }

  /** This node with its load of now, and with the forks given to it since its last heartbeat that the load does not count yet. */
  #ownLoad(): (NodeFacts & { placed: number }) | undefined {
    const { nodeId } = this.#options;
    const own = this.#nodes.find((node) => node.nodeId === nodeId);
    if (!own || !this.#duties) return undefined;
    const now = this.#duties.load();
    const added = now.engines + now.waiting - own.engines - own.waiting;
    return {
      ...own,
      ...now,
      placed: Math.max(0, (this.#placed.get(nodeId) ?? 0) - Math.max(0, added)),
    };
  }

  get #leaseMs(): number {
    return this.#options.leaseSeconds * 1000;
  }

  #ageOf({ age }: NodeFacts): number {
    return age + (this.#options.now() - this.#read) / 1000;
  }
}
