import type { ForkTransactions } from '../../server/api/fork';
import type { Snapshot } from '../../server/api/snapshot';
import type { ApiClient } from '../model/api-client';
import type { ForkContracts } from '../model/fork-contracts';
import type {
  ContractsNode,
  EmptyNode,
  ForkNode,
  LoadMoreNode,
  SnapshotsNode,
  TransactionNode,
} from '../model/tree-node';

const PAGE_SIZE = 20;

const NO_TRANSACTIONS: ForkTransactions = { total: 0, transactions: [], nextCursor: null };

/** Caches transactions and snapshots of forks until they change, because listing a sleeping fork's transactions wakes it. */
export class ForkContents {
  readonly #transactions = new Map<string, ForkTransactions>();
  readonly #snapshots = new Map<string, readonly Snapshot[]>();
  /** Forks whose transactions may have changed while no change events arrived. */
  readonly #stale = new Set<string>();
  /** Counts invalidations: an answer that was in flight during one is not cached. */
  #forgotten = 0;

  constructor(
    private readonly client: ApiClient,
    private readonly contracts: ForkContracts,
  ) {}

  /** Snapshots and contracts come first, so that they keep their position while transactions are added. */
  async of(
    parent: ForkNode,
  ): Promise<(SnapshotsNode | ContractsNode | TransactionNode | LoadMoreNode | EmptyNode)[]> {
    const [snapshots, page] = await Promise.all([
      this.#snapshotsOf(parent),
      this.#transactionsOf(parent),
    ]);
    const { transactions, total, nextCursor } = page;
    this.contracts.recognise(
      parent,
      transactions.filter(({ to, status }) => to === null && status),
    );
    const contracts = this.contracts.of(parent.fork.forkId);
    const group: (SnapshotsNode | ContractsNode)[] = [
      ...(snapshots.length === 0 ? [] : [{ kind: 'snapshots' as const, parent, snapshots }]),
      ...(contracts.length === 0 ? [] : [{ kind: 'contracts' as const, parent, contracts }]),
    ];
    const names = new Map(contracts.map(({ transaction, name }) => [transaction, name]));
    if (transactions.length === 0) return [...group, { kind: 'empty', parent }];
    return [
      ...group,
      ...transactions.map((transaction): TransactionNode => ({
        kind: 'transaction',
        parent,
        transaction,
        created: names.get(transaction.hash),
      })),
      ...(nextCursor === null
        ? []
        : [{ kind: 'loadMore' as const, parent, remaining: total - transactions.length }]),
    ];
  }

  /** @returns whether there were more transactions */
  async loadMore(parent: ForkNode, signal?: AbortSignal): Promise<boolean> {
    const { forkId } = parent.fork;
    const loaded = this.#transactions.get(forkId);
    if (loaded === undefined || loaded.nextCursor === null) return false;
    const next = await this.#page(parent, loaded.nextCursor, signal);
    this.#transactions.set(forkId, {
      ...next,
      transactions: [...loaded.transactions, ...next.transactions],
    });
    return true;
  }

  forgetTransactions(forkId: string): void {
    this.#forgotten++;
    this.#transactions.delete(forkId);
  }

  forgetSnapshots(forkId: string): void {
    this.#forgotten++;
    this.#snapshots.delete(forkId);
  }

  forget(forkId: string): void {
    this.forgetTransactions(forkId);
    this.forgetSnapshots(forkId);
  }

  forgetAll(): void {
    this.#forgotten++;
    this.#transactions.clear();
    this.#snapshots.clear();
  }

  /** Changes may have been missed. A sleeping fork's cached transactions stay valid if their count is unchanged. */
  invalidate(): void {
    this.#forgotten++;
    this.#snapshots.clear();
    for (const forkId of this.#transactions.keys()) this.#stale.add(forkId);
  }

  async #transactionsOf(parent: ForkNode): Promise<ForkTransactions> {
    const { forkId, state, transactionCount } = parent.fork;
    const cached = this.#transactions.get(forkId);
    const isStale = this.#stale.delete(forkId);
    const isBelieved = !isStale || (state === 'sleeping' && cached?.total === transactionCount);
    if (cached !== undefined && isBelieved) return cached;
    const forgotten = this.#forgotten;
    const isEmpty = state === 'sleeping' && transactionCount === 0;
    const page = isEmpty ? NO_TRANSACTIONS : await this.#page(parent);
    if (forgotten === this.#forgotten) this.#transactions.set(forkId, page);
    return page;
  }

  async #snapshotsOf({ fork, parent }: ForkNode): Promise<readonly Snapshot[]> {
    const cached = this.#snapshots.get(fork.forkId);
    if (cached !== undefined) return cached;
    const params = { project_id: parent.project.projectId, fork_id: fork.forkId };
    const forgotten = this.#forgotten;
    const snapshots = await this.client.call('listSnapshots', { params });
    if (forgotten === this.#forgotten) this.#snapshots.set(fork.forkId, snapshots);
    return snapshots;
  }

  #page(
    { fork, parent }: ForkNode,
    cursor?: string,
    signal?: AbortSignal,
  ): Promise<ForkTransactions> {
    return this.client.call(
      'listForkTransactions',
      {
        params: { project_id: parent.project.projectId, fork_id: fork.forkId },
        query: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
      },
      signal === undefined ? {} : { signal },
    );
  }
}
