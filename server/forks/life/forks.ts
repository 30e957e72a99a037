import PQueue from 'p-queue';
import type { Chain, Hardfork } from '../../api/config';
import { ApiError, forkNotFound } from '../../api/errors';
import {
  forkStateSchema,
  type BranchForkBody,
  type CreateForkBody,
  type Fork,
  type ForkState,
  type ForkTransactions,
} from '../../api/fork';
import type { OnProgress } from '../../api/progress';
import type { Snapshot } from '../../api/snapshot';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { planBranch, writeSteps, type OpenSteps } from './branch';
import type { EnginePool } from './engine-pool';
import { ForkClient } from './fork-client';
import { newSecret, originalHeadOf, rpcChainIdOf, type ForkRecord } from './fork-record';
import { forkMoves, type AwakeFork } from './fork-run';
import { ForkSharing } from './fork-sharing';
import { forkTransactions } from './fork-transactions';
import { KnownForks } from './known-forks';
import { ManagedFork } from './managed-fork';
import { deleteSnapshot, keepSnapshot, listSnapshots, revertSnapshot } from './named-snapshots';
import { newIdentity, planFork, type ForkIdentity } from './plan-fork';
import type { ForkPorts } from './ports';
import { recoverJournal } from './recover-journal';

/** A fork as its JSON-RPC address exposes it. */
export interface OpenFork {
  readonly forkId: string;
  /** Whether the fork begins inside a block, whose first transactions were replayed. */
  readonly isInside: boolean;
  /** Aborted when its deletion begins. */
  readonly deleted: AbortSignal;
  /** Aborted when the address is no longer valid: the fork is being deleted, or its address was renewed. */
  readonly revoked: AbortSignal;
  /** Runs a task at once if the fork is awake. @returns undefined if it is not */
  now<T>(task: (awake: AwakeFork) => T): T | undefined;
  /** Runs a task on the fork, which stays awake until the task ends. */
  use<T>(task: (awake: AwakeFork) => Promise<T>): Promise<T>;
}

/** The data of a fork that the analysis needs. */
export interface ForkNetwork {
  chain: Chain;
  /** Rules of its blocks. */
  hardfork: Hardfork;
  rpcChainId: number;
  /** Client of the fork itself: each request wakes it. */
  engine: RpcClient;
  /** Client of the forked chain, for data from before the fork point. */
  upstream: RpcClient;
  /** Newest block that is the chain's own, or a replay of it. */
  originalHead: number;
  /** How often it was reverted; undefined where another node runs it. */
  reverts: number | undefined;
}

/** Journals that a start reads at a time: a database answers each after a round trip. */
const RECOVERIES = 8;

interface Creation {
  signal: AbortSignal;
  onProgress?: OnProgress;
}

/** Forks of projects: their life cycle, and access to their engines. Callers have checked that the project may be used. */
export class Forks {
  readonly #pool: EnginePool;
  readonly #forks = new KnownForks();
  /** Undefined: no other node uses the store. */
  readonly sharing: ForkSharing | undefined;
  /** Creations under way, with their projects, whose deletion cancels them. */
  readonly #creating = new Map<AbortController, string>();

  private constructor(
    private readonly ports: ForkPorts,
    records: readonly ForkRecord[],
  ) {
    this.#pool = ports.pool;
    const { shared } = ports;
    this.sharing = shared && new ForkSharing(ports, shared, this.#pool, this.#forks);
    for (const record of records) {
      this.#forks.add(new ManagedFork(record, ports, this.#pool, 'sleeping'));
    }
  }

  /** Loads the forks of the store; none has an engine yet. Forks that nodes share are loaded when they are used. */
  static async open(ports: ForkPorts): Promise<Forks> {
    return new Forks(ports, ports.shared ? [] : await ports.store.list());
  }

  /**
   * Completes what a killed service left unfinished: creations, deletions, and transactions that the statistics lack. Forks with an
   * unusable journal become `failed`, with the reason. Nodes read a journal when they wake its fork.
   */
  async recover(): Promise<void> {
    await this.ports.journals.tidy((forkId) => this.#forks.get(forkId) !== undefined);
    if (this.sharing) return;
    const queue = new PQueue({ concurrency: RECOVERIES });
    await queue.addAll(this.#forks.all().map((fork) => () => recoverJournal(fork, this.ports)));
  }

  /**
   * Resolves when the fork answers. Removes everything again if it fails or is cancelled.
   * @throws ApiError
   */
  async create(projectId: string, body: CreateForkBody, options: Creation): Promise<Fork> {
    return this.#make(projectId, options, async (identity, signal) => ({
      record: await planFork(this.ports, identity, projectId, body, signal),
    }));
  }

  /**
   * Creates a fork whose state is the one of this fork immediately before a transaction that was made on it, or before the whole bundle if
   * the transaction is part of one; its last state where none is named. Wakes the fork, which is not changed.
   * @throws ApiError transactionNotFound
   */
  async branch(
    projectId: string,
    forkId: string,
    body: BranchForkBody,
    options: Creation,
  ): Promise<Fork> {
    const origin = this.#find(projectId, forkId);
    return this.#make(projectId, options, (identity) =>
      planBranch(origin, this.ports.journals, body, identity),
    );
  }

  async #make(
    projectId: string,
    { signal, onProgress }: Creation,
    plan: (
      identity: ForkIdentity,
      signal: AbortSignal,
    ) => Promise<{ record: ForkRecord; steps?: OpenSteps }>,
  ): Promise<Fork> {
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    this.#creating.set(ended, projectId);
    const identity = newIdentity(this.ports.clock());
    let fork: ManagedFork | undefined;
    let release: (() => Promise<void>) | undefined;
    try {
      release = await this.ports.quotas?.creation(projectId, identity.forkId);
      const { record, steps } = await plan(identity, either);
      fork = new ManagedFork(record, this.ports, this.#pool, 'creating', onProgress);
      fork.announce();
      await this.ports.journals.create(record.forkId);
      if (steps) await writeSteps(this.ports.journals, record.forkId, steps);
      await fork.use(() => this.ports.store.put(record.forkId, record), either);
      await this.ports.journals.confirm(record.forkId);
      if (either.aborted) throw new ApiError('cancelled', 'the creation of the fork was cancelled');
      this.#forks.add(fork);
      fork.announce();
      return fork.view();
    } catch (error) {
      if (fork) await this.#remove(fork);
      throw error;
    } finally {
      this.#creating.delete(ended);
      await release?.();
    }
  }

  async list(projectId: string): Promise<Fork[]> {
    if (this.sharing) return this.sharing.list(projectId);
    return this.#forks.of(projectId).map((fork) => fork.view());
  }

  /** @throws ApiError forkNotFound, also for a fork of another project */
  async get(projectId: string, forkId: string): Promise<Fork> {
    const fork = this.#find(projectId, forkId);
    // A damaged journal is reported when the fork wakes.
    if (this.sharing) await fork.named().catch(() => undefined);
    return fork.view();
  }

  /** @throws ApiError forkNotFound */
  async delete(projectId: string, forkId: string): Promise<void> {
    await this.#remove(this.#find(projectId, forkId));
  }

  /**
   * Replaces the address of the fork. The old one is no longer valid.
   * @throws ApiError forkNotFound
   */
  async renewAddress(projectId: string, forkId: string): Promise<Fork> {
    const fork = this.#find(projectId, forkId);
    const secret = newSecret();
    if (!(await this.ports.store.setSecret(forkId, secret))) throw forkNotFound(forkId);
    this.#forks.readdress(fork, secret);
    return fork.view();
  }

  /** Applies the addresses in the store to the forks of a project. */
  async adoptAddresses(projectId: string): Promise<void> {
    for (const { forkId, secret } of await this.ports.store.list(projectId)) {
      const fork = this.#forks.get(forkId);
      if (fork) this.#forks.readdress(fork, secret);
    }
  }

  /** Deletes all forks of a project, including those being created. */
  async deleteAllOf(projectId: string): Promise<void> {
    for (const [controller, project] of this.#creating) {
      if (project === projectId) controller.abort();
    }
    await this.sharing?.deleteElsewhere(projectId);
    await Promise.all(this.#forks.of(projectId).map((fork) => this.#remove(fork)));
  }

  /** Deletes a shared fork at the request of another node. */
  async deleteHere(forkId: string): Promise<void> {
    const found = await this.sharing?.load(forkId);
    if (found) await this.#remove(found.fork);
  }

  /** Newest first. Wakes the fork. */
  async transactions(
    projectId: string,
    forkId: string,
    query: { limit: number; cursor?: string | undefined },
  ): Promise<ForkTransactions> {
    return this.#find(projectId, forkId).use(({ writer, engine }) =>
      forkTransactions(engine, writer.blocks, query),
    );
  }

  /** Oldest first, after the default snapshot. */
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

  async findProjectId(forkId: string): Promise<string | undefined> {
    if (!this.sharing) return this.#forks.get(forkId)?.record.projectId;
    return (await this.sharing.load(forkId))?.fork.record.projectId;
  }

  /** Requests that wait for an engine. */
  get waiting(): number {
    return this.#pool.waiting;
  }

  /** Engines that run for forks, and for executions. */
  get engines(): { forks: number; executions: number } {
    const { forks, lent } = this.#pool.places;
    return { forks, executions: lent };
  }

  /** Number of forks that this process knows, by state. */
  get states(): ReadonlyMap<ForkState, number> {
    const counts = new Map(forkStateSchema.options.map((state) => [state, 0]));
    for (const { state } of this.#forks.all()) counts.set(state, (counts.get(state) ?? 0) + 1);
    return counts;
  }

  /** @returns undefined for an unknown secret */
  findBySecret(secret: string): OpenFork | undefined {
    const fork = this.#forks.bySecret(secret);
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
   * Returns the data for the analysis. Does not wake the fork.
   * @throws ApiError forkNotFound
   */
  async networkOf(forkId: string): Promise<ForkNetwork> {
    const { chains, upstreamOf } = this.ports;
    const loaded = await this.sharing?.load(forkId);
    const fork = this.sharing ? loaded?.fork : this.#forks.get(forkId);
    if (!fork || fork.deleted.aborted) throw forkNotFound(forkId);
    const chain = chains.bySlug(fork.record.chain);
    return {
      chain,
      hardfork: fork.record.hardfork,
      rpcChainId: rpcChainIdOf(fork.record),
      engine: loaded?.there ?? new ForkClient(fork),
      upstream: upstreamOf(chain),
      originalHead: originalHeadOf(fork.record),
      reverts: loaded?.there ? undefined : fork.reverts,
    };
  }

  /** Ends all engines; the forks remain. */
  async stop(): Promise<void> {
    this.#pool.close();
    for (const controller of this.#creating.keys()) controller.abort();
    await Promise.all(this.#forks.all().map((fork) => fork.sleep()));
  }

  /** Invalidates the address before the engine ends. If the record cannot be removed, the fork is available again, asleep. */
  async #remove(fork: ManagedFork): Promise<void> {
    const { forkId } = fork.record;
    const existed = this.#forks.remove(fork);
    try {
      await fork.delete(() => this.ports.store.delete(forkId));
    } catch (error) {
      if (existed) await this.#restore(fork.record);
      throw error;
    }
  }

  async #restore(record: ForkRecord): Promise<void> {
    const fork = new ManagedFork(record, this.ports, this.#pool, 'sleeping');
    this.#forks.add(fork);
    if (!this.sharing) await recoverJournal(fork, this.ports);
    fork.announce();
  }

  #find(projectId: string, forkId: string): ManagedFork {
    const fork = this.#forks.get(forkId);
    if (!fork && this.sharing?.hasMoved(forkId) === true) throw forkMoves(forkId);
    if (fork?.record.projectId !== projectId) throw forkNotFound(forkId);
    return fork;
  }
}
