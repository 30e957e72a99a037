import PQueue from 'p-queue';
import type { Chain, Hardfork } from '../api/config';
import { ApiError, forkNotFound } from '../api/errors';
import type { BranchForkBody, CreateForkBody, Fork, ForkTransactions } from '../api/fork';
import type { OnProgress } from '../api/progress';
import type { Snapshot } from '../api/snapshot';
import type { RpcClient } from '../ethereum/json-rpc';
import { planBranch, writeSteps, type OpenSteps } from './branch';
import { AwakeForks } from './awake-forks';
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
}

/** Journals that a start reads at a time: a database answers each after a round trip. */
const RECOVERIES = 8;

interface Creation {
  signal: AbortSignal;
  onProgress?: OnProgress;
}

/** Forks of projects: their life cycle, and access to their engines. Callers have checked that the project may be used. */
export class Forks {
  readonly #pool: AwakeForks;
  readonly #forks = new Map<string, ManagedFork>();
  readonly #addresses = new ForkAddresses<ManagedFork>();
  /** Creations under way, with their projects, whose deletion cancels them. */
  readonly #creating = new Map<AbortController, string>();

  private constructor(
    private readonly ports: ForkPorts,
    records: readonly ForkRecord[],
  ) {
    this.#pool = new AwakeForks(ports.engines);
    for (const record of records) {
      this.#keep(new ManagedFork(record, ports, this.#pool, 'sleeping'));
    }
  }

  /** Loads the forks of the store; none has an engine yet. */
  static async open(ports: ForkPorts): Promise<Forks> {
    return new Forks(ports, await ports.store.list());
  }

  /**
   * Completes what a killed service left unfinished: creations, deletions, and transactions that the statistics lack. Forks with an
   * unusable journal become `failed`, with the reason.
   */
  async recover(): Promise<void> {
    await this.ports.journals.tidy((forkId) => this.#forks.has(forkId));
    const queue = new PQueue({ concurrency: RECOVERIES });
    await queue.addAll(
      [...this.#forks.values()].map((fork) => () => recoverJournal(fork, this.ports)),
    );
  }

  /**
   * Resolves when the fork answers. Removes everything again if it fails or is cancelled.
   * @throws ApiError
   */
  async create(projectId: string, body: CreateForkBody, options: Creation): Promise<Fork> {
    return this.#make(projectId, options, async (signal) => ({
      record: await planFork(this.ports, projectId, body, signal),
    }));
  }

  /**
   * Creates a fork whose state is the one of this fork immediately before a transaction that was made on it, or before the whole bundle if
   * the transaction is part of one. Wakes the fork, which is not changed.
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

  /** @throws ApiError forkNotFound, also for a fork of another project */
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
   * Replaces the address of the fork. The old one is no longer valid.
   * @throws ApiError forkNotFound
   */
  async renewAddress(projectId: string, forkId: string): Promise<Fork> {
    const fork = this.#find(projectId, forkId);
    const secret = newSecret();
    if (!(await this.ports.store.setSecret(forkId, secret))) throw forkNotFound(forkId);
    this.#adopt(fork, secret);
    return fork.view();
  }

  /** Applies the addresses in the store to the forks of a project. */
  async adoptAddresses(projectId: string): Promise<void> {
    for (const { forkId, secret } of await this.ports.store.list(projectId)) {
      const fork = this.#forks.get(forkId);
      if (fork) this.#adopt(fork, secret);
    }
  }

  #adopt(fork: ManagedFork, secret: string): void {
    const { forkId } = fork.record;
    if (this.#forks.get(forkId) !== fork || fork.record.secret === secret) return;
    this.#addresses.remove(fork.record.secret);
    fork.setSecret(secret);
    this.#addresses.add(secret, fork);
    fork.announce();
  }

  /** Deletes all forks of a project, including those being created. */
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

  findProjectId(forkId: string): Promise<string | undefined> {
    return Promise.resolve(this.#forks.get(forkId)?.record.projectId);
  }

  /** @returns undefined for an unknown secret */
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
   * Returns the data for the analysis. Does not wake the fork.
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

  /**
   * Takes the place of an engine from the forks, for an execution.
   * @returns what gives it back
   */
  lendEngine(): () => void {
    return this.#pool.lend();
  }

  /** Ends all engines; the forks remain. */
  async stop(): Promise<void> {
    this.#pool.close();
    for (const controller of this.#creating.keys()) controller.abort();
    await Promise.all([...this.#forks.values()].map((fork) => fork.sleep()));
  }

  #keep(fork: ManagedFork): void {
    this.#forks.set(fork.record.forkId, fork);
    this.#addresses.add(fork.record.secret, fork);
  }

  /** Invalidates the address before the engine ends. If the record cannot be removed, the fork is available again, asleep. */
  async #remove(fork: ManagedFork): Promise<void> {
    const { forkId, secret } = fork.record;
    const existed = this.#forks.delete(forkId);
    this.#addresses.remove(secret);
    try {
      await fork.delete(() => this.ports.store.delete(forkId));
    } catch (error) {
      if (existed) await this.#restore(fork.record);
      throw error;
    }
  }

  async #restore(record: ForkRecord): Promise<void> {
    const fork = new ManagedFork(record, this.ports, this.#pool, 'sleeping');
    this.#keep(fork);
    await recoverJournal(fork, this.ports);
    fork.announce();
  }

  /** Forks of a project, oldest first. */
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
