import { LRUCache } from 'lru-cache';
import type { Fork } from '../../api/fork';
import type { RpcClient } from '../../evm/forms/json-rpc';
import type { EnginePool } from './engine-pool';
import type { KnownForks } from './known-forks';
import { ManagedFork } from './managed-fork';
import type { ForkPorts, LocatedFork, SharedForks } from './ports';
import { SharedViews } from './shared-views';

/** Time in which a request that found a fork here may still use it, in milliseconds, and number of forks. */
const MOVED_MS = 60_000;
const MAX_MOVED = 10_000;
/** For clients of a fork that another node runs from now on. */
const MOVED = 'the fork moved to another node';

/** A fork by its id, or by the secret of its address. */
type ForkKey = { forkId: string } | { secret: string };

/** The part of the forks' life that nodes share: which of them this node knows, and how it takes them over and gives them away. */
export class ForkSharing {
  readonly #views: SharedViews;
  /** Epochs of the forks when this node took them over. */
  readonly #adopted = new Map<string, number>();
  /** Forks that this node has forgotten because another one runs them. */
  readonly #moved = new LRUCache<string, true>({ max: MAX_MOVED, ttl: MOVED_MS });

  constructor(
    private readonly ports: ForkPorts,
    readonly shared: SharedForks,
    private readonly pool: EnginePool,
    private readonly known: KnownForks,
  ) {
    this.#views = new SharedViews(ports, shared, pool);
  }

  /** All forks of a project, whichever node runs them. */
  list(projectId: string): Promise<Fork[]> {
    return this.#views.list(projectId, this.known);
  }

  /** Forks of a project that this node runs. */
  runningHere(projectId: string): Fork[] {
    return this.known
      .of(projectId)
      .filter(({ record }) => this.shared.holds(record.forkId))
      .map((fork) => fork.view());
  }

  /** Whether this node runs the fork with this id, or with an address of this secret. */
  isHere(key: ForkKey): boolean {
    const fork = this.#find(key);
    return fork !== undefined && this.shared.holds(fork.record.forkId);
  }

  /**
   * Loads a fork from the store, unless this node runs it. @returns the fork, and the client of the node that runs it if it is another one;
   * undefined if there is no such fork
   */
  async load(forkId: string): Promise<{ fork: ManagedFork; there?: RpcClient } | undefined> {
    let there: RpcClient | undefined;
    if (!this.isHere({ forkId })) {
      const located = await this.shared.find({ forkId });
      if (located) this.adopt(located);
      else this.forget({ forkId });
      const { owner = this.shared.nodeId } = located ?? {};
      if (located && owner !== this.shared.nodeId) there = this.shared.clientOf(located.record);
    }
    const fork = this.known.get(forkId);
    return fork && { fork, ...(there ? { there } : {}) };
  }

  /**
   * Takes over what the store knows about a fork. If another node ran it since, its clients here connect again, and filters of that time
   * are gone.
   */
  adopt({ record, epoch, owner, lastOwner = owner }: LocatedFork): void {
    const { forkId } = record;
    const { nodeId } = this.shared;
    const known = this.known.get(forkId);
    const isOurs =
      owner === nodeId ||
      epoch === this.shared.lastEpoch(forkId) ||
      epoch === this.#adopted.get(forkId);
    const { takenOver } = this.shared;
    if (lastOwner === undefined || lastOwner === nodeId) takenOver.delete(forkId);
    else takenOver.add(forkId);
    if (known && isOurs) {
      known.record.counted = record.counted;
      this.known.readdress(known, record.secret);
      return;
    }
    this.forget({ forkId });
    this.#adopted.set(forkId, epoch);
    this.known.add(new ManagedFork(record, this.ports, this.pool, 'sleeping'));
  }

  /** Forgets a fork that another node has run, deleted or given another address since. */
  forget(key: ForkKey): void {
    if ('forkId' in key) this.#moved.delete(key.forkId);
    const known = this.#find(key);
    if (!known) return;
    this.known.remove(known);
    this.#adopted.delete(known.record.forkId);
    known.disconnect(MOVED);
  }

  /**
   * Forgets the forks that other nodes run meanwhile, so that their clients here, which wait for news, connect again. The others are found
   * when they are used.
   */
  async forgetMoved(): Promise<void> {
    const ids = this.known.all().map(({ record }) => record.forkId);
    const others = ids.filter((forkId) => !this.shared.holds(forkId));
    if (others.length === 0) return;
    for (const [forkId, epoch] of await this.shared.movedAway(others)) {
      // A fork that was adopted since then may be about to wake here.
      const isAdopted = this.#adopted.get(forkId) === epoch;
      if (isAdopted || this.shared.holds(forkId)) continue;
      this.forget({ forkId });
      this.#moved.set(forkId, true);
    }
  }

  /** Whether another node ran the fork lately: requests that were about to be served here go there. */
  hasMoved(forkId: string): boolean {
    return this.#moved.has(forkId);
  }

  /** Ends the engine after the requests under way, so that another node can run the fork. */
  async giveAway(forkId: string): Promise<void> {
    const fork = this.known.get(forkId);
    await fork?.rest();
    fork?.disconnect(MOVED);
  }

  /** Loads all forks of a project that no other node runs, and has the other nodes delete theirs. */
  async deleteElsewhere(projectId: string): Promise<void> {
    for (const located of await this.shared.list(projectId)) {
      const { owner = this.shared.nodeId, record } = located;
      if (owner === this.shared.nodeId) this.adopt(located);
      else {
        await this.shared.deleteAt(owner, record.forkId);
        this.forget(record);
      }
    }
  }

  #find(key: ForkKey): ManagedFork | undefined {
    return 'forkId' in key ? this.known.get(key.forkId) : this.known.bySecret(key.secret);
  }
}
