import type { Chain, Hardfork } from '../api/config';
import { ApiError, forkNotFound } from '../api/errors';
import type { BranchForkBody, CreateForkBody, Fork, ForkTransactions } from '../api/fork';
import type { OnProgress } from '../api/progress';
import type { Snapshot } from '../api/snapshot';
import type { RpcClient } from '../ethereum/json-rpc';
import { planBranch, writeSteps, type OpenSteps } from './branch';
import { EnginePool } from './engine-pool';
import { ForkAddresses } from './fork-addresses';
import { ForkClient } from './fork-client';
import { newSecret, originalHeadOf, rpcChainIdOf, type ForkRecord } from './fork-record';
import type { AwakeFork } from './fork-run';
import { forkTransactions } from './fork-transactions';
import { ManagedFork } from './managed-fork';
import { deleteSnapshot, keepSnapshot, listSnapshots, revertSnapshot } from './named-snapshots';
import { planFork } from './plan-fork';
import type { ForkPorts } from './ports';
import { recoverJournal } from './recover-journal';

/** A fork whose secret was shown: what its JSON-RPC address leads to. */
export interface OpenFork {
  readonly forkId: string;
  /** It begins inside a block, whose first transactions were replayed. */
  readonly isInside: boolean;
  /** Aborted when its deletion begins. */
  readonly deleted: AbortSignal;
  /** Aborted when the address leads nowhere any more: with the fork's deletion, or because it was renewed. */
  readonly revoked: AbortSignal;
  /** Looks at the fork where it runs already, without a wait. @returns undefined where it does not run */
  now<T>(task: (awake: AwakeFork) => T): T | undefined;
  /** The fork stays awake until the task is done. */
  use<T>(task: (awake: AwakeFork) => Promise<T>): Promise<T>;
}

/** What the analysis needs to know of a fork. */
export interface ForkNetwork {
  chain: Chain;
  /** Rules of its blocks. */
  hardfork: Hardfork;
  rpcChainId: number;
  /** The fork itself: each request wakes it. */
  engine: RpcClient;
  /** The forked chain: answers for what is older than the fork. */
  upstream: RpcClient;
  /** Newest block that is the forked chain's own, or a replay of it. */
  originalHead: number;
}

interface Creation {
  signal: AbortSignal;
  onProgress?: OnProgress;
}

/** Forks of projects: their life cycle, and the way to their engines. The callers have checked that the project may be used. */
export class Forks {
  readonly #pool: EnginePool;
  readonly #forks = new Map<string, ManagedFork>();
  readonly #addresses = new ForkAddresses<ManagedFork>();
  /** Creations under way, which end with their project. */
  readonly #creating = new Map<AbortController, string>();

  /** Knows the forks of the store; none has an engine yet. */
  constructor(private readonly ports: ForkPorts) {
    this.#pool = new EnginePool(ports.engines);
    for (const record of ports.store.list()) {
      this.#keep(new ManagedFork(record, ports, this.#pool, 'sleeping'));
    }
  }

  /**
   * Puts right what a killed service left half done: creations and deletions, and transactions that the statistics do not have.
   * Forks whose journal cannot be used have failed, and say why.
   */
  async recover(): Promise<void> {
    await this.ports.journals.tidy((forkId) => this.#forks.has(forkId));
    for (const fork of this.#forks.values()) await recoverJournal(fork, this.ports);
  }

  /**
   * Resolves when the fork answers. Leaves nothing behind where it fails or is cancelled.
   * @throws ApiError
   */
  async create(projectId: string, body: CreateForkBody, options: Creation): Promise<Fork> {
    return this.#make(projectId, options, async (signal) => ({
      record: await planFork(this.ports, projectId, body, signal),
    }));
  }

  /**
   * Another fork that stands where this one stood right before a transaction that was made on it; before the whole bundle for one
   * of a bundle. Wakes the fork, which stays as it is.
   * @throws ApiError transactionNotFound
   */
  async branch(
    projectId: string,
    forkId: string,
    body: BranchForkBody,
    options: Creation,
  ): Promise<Fork> {
    const origin = this.#find(projectId, forkId);
    return this.#make(projectId, options, () =>
      planBranch(origin, this.ports.journals, body, this.ports.clock()),
    );
  }

  async #make(
    projectId: string,
    { signal, onProgress }: Creation,
    plan: (signal: AbortSignal) => Promise<{ record: ForkRecord; steps?: OpenSteps }>,
  ): Promise<Fork> {
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    this.#creating.set(ended, projectId);
    let fork: ManagedFork | undefined;
    try {
      const { record, steps } = await plan(either);
      fork = new ManagedFork(record, this.ports, this.#pool, 'creating', onProgress);
      fork.announce();
      await this.ports.journals.create(record.forkId);
      if (steps) await writeSteps(this.ports.journals, record.forkId, steps);
      await fork.use(() => this.ports.store.put(record.forkId, record), either);
      await this.ports.journals.confirm(record.forkId);
      if (either.aborted) throw new ApiError('cancelled', 'the creation of the fork was cancelled');
      this.#keep(fork);
      fork.announce();
      return fork.view();
    } catch (error) {
      if (fork) await this.#remove(fork);
      throw error;
    } finally {
      this.#creating.delete(ended);
    }
  }

  list(projectId: string): Promise<Fork[]> {
    return Promise.resolve(this.#of(projectId).map((fork) => fork.view()));
  }

  /** @throws ApiError forkNotFound, for a fork of another project too */
  get(projectId: string, forkId: string): Promise<Fork> {
    return new Promise((resolve) => {
      resolve(this.#find(projectId, forkId).view());
    });
  }

  /** @throws ApiError forkNotFound */
  async delete(projectId: string, forkId: string): Promise<void> {
    await this.#remove(this.#find(projectId, forkId));
  }

  /**
   * Gives the fork another address; the old one leads nowhere from then on.
   * @throws ApiError forkNotFound
   */
  async renewAddress(projectId: string, forkId: string): Promise<Fork> {
    const fork = this.#find(projectId, forkId);
    const secret = newSecret();
    if (!(await this.ports.store.setSecret(forkId, secret))) throw forkNotFound(forkId);
    this.#adopt(fork, secret);
    return fork.view();
  }

  /** Takes over the addresses that the store has for the forks of a project. */
  adoptAddresses(projectId: string): void {
    for (const { forkId, secret } of this.ports.store.list()) {
      const fork = this.#forks.get(forkId);
      if (fork?.record.projectId === projectId) this.#adopt(fork, secret);
    }
  }

  #adopt(fork: ManagedFork, secret: string): void {
    const { forkId } = fork.record;
    if (this.#forks.get(forkId) !== fork || fork.record.secret === secret) return;
    this.#addresses.remove(fork.record.secret);
    fork.readdress(secret);
    this.#addresses.add(secret, fork);
    fork.announce();
  }

  /** Those that are being created as well. */
  async deleteAllOf(projectId: string): Promise<void> {
    for (const [controller, project] of this.#creating) {
      if (project === projectId) controller.abort();
    }
    await Promise.all(this.#of(projectId).map((fork) => this.#remove(fork)));
  }

  /** Newest first. Wakes the fork. */
  async transactions(
    projectId: string,
    forkId: string,
    query: { limit: number; cursor?: string | undefined },
  ): Promise<ForkTransactions> {
    return this.#find(projectId, forkId).use(({ node, engine }) =>
      forkTransactions(engine, node.blocks, query),
    );
  }

  /** Oldest first, the default one in front. */
  async snapshots(projectId: string, forkId: string): Promise<Snapshot[]> {
    return listSnapshots(this.#find(projectId, forkId));
  }

  async keepSnapshot(projectId: string, forkId: string, name: string): Promise<Snapshot> {
    return keepSnapshot(this.#find(projectId, forkId), name, this.ports.clock());
  }

  async deleteSnapshot(projectId: string, forkId: string, id: string): Promise<void> {
    await deleteSnapshot(this.#find(projectId, forkId), id);
  }

  async revertSnapshot(projectId: string, forkId: string, id: string): Promise<void> {
    await revertSnapshot(this.#find(projectId, forkId), id);
  }

  findProjectId(forkId: string): Promise<string | undefined> {
    return Promise.resolve(this.#forks.get(forkId)?.record.projectId);
  }

  /** @returns undefined for a secret that opens nothing (any more) */
  findBySecret(secret: string): OpenFork | undefined {
    const fork = this.#addresses.find(secret);
    return (
      fork && {
        forkId: fork.record.forkId,
        isInside: fork.record.prefix > 0,
        deleted: fork.deleted,
        revoked: fork.revoked,
        now: (task) => fork.now(task),
        use: (task) => fork.use(task),
      }
    );
  }

  /**
   * Does not wake the fork.
   * @throws ApiError forkNotFound
   */
  networkOf(forkId: string): Promise<ForkNetwork> {
    return new Promise((resolve) => {
      const fork = this.#forks.get(forkId);
      if (!fork) throw forkNotFound(forkId);
      const chain = this.ports.chains.bySlug(fork.record.chain);
      resolve({
        chain,
        hardfork: fork.record.hardfork,
        rpcChainId: rpcChainIdOf(fork.record),
        engine: new ForkClient(fork),
        upstream: this.ports.upstreamOf(chain),
        originalHead: originalHeadOf(fork.record),
      });
    });
  }

  /** Ends all engines; the forks stay. */
  async stop(): Promise<void> {
    this.#pool.close();
    for (const controller of this.#creating.keys()) controller.abort();
    await Promise.all([...this.#forks.values()].map((fork) => fork.sleep()));
  }

  #keep(fork: ManagedFork): void {
    this.#forks.set(fork.record.forkId, fork);
    this.#addresses.add(fork.record.secret, fork);
  }

  /** The address is dead before the engine is. A fork whose record cannot be removed is there again, asleep. */
  async #remove(fork: ManagedFork): Promise<void> {
    const { forkId, secret } = fork.record;
    const wasKept = this.#forks.delete(forkId);
    this.#addresses.remove(secret);
    try {
      await fork.delete(() => this.ports.store.delete(forkId));
    } catch (error) {
      if (wasKept) await this.#bringBack(fork.record);
      throw error;
    }
  }

  async #bringBack(record: ForkRecord): Promise<void> {
    const fork = new ManagedFork(record, this.ports, this.#pool, 'sleeping');
    this.#keep(fork);
    await recoverJournal(fork, this.ports);
    fork.announce();
  }

  /** Oldest first. */
  #of(projectId: string): ManagedFork[] {
    return [...this.#forks.values()]
      .filter(({ record }) => record.projectId === projectId)
      .sort((a, b) => Date.parse(a.record.createTime) - Date.parse(b.record.createTime));
  }

  #find(projectId: string, forkId: string): ManagedFork {
    const fork = this.#forks.get(forkId);
    if (fork?.record.projectId !== projectId) throw forkNotFound(forkId);
    return fork;
  }
}
