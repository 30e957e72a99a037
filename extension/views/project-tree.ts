import type { ForkTransactions } from '../../server/api/fork';
import type { ApiClient } from '../client/api-client';
import { Emitter } from '../emitter';
import { isCancellation, sentence, ServiceUnavailableError } from '../errors';
import type { Log } from '../log';
import type { Service } from '../server-process/service';
import type { Session } from '../session';
import type {
  AccountNode,
  EmptyNode,
  ErrorNode,
  ForkNode,
  LoadMoreNode,
  ProjectNode,
  TransactionNode,
  TreeNode,
} from './tree-node';

const PAGE_SIZE = 20;

/** Projects, their forks, each fork's transactions: what the service says, as nodes. Knows nothing of the editor. */
export class ProjectTree {
  readonly #client: ApiClient;
  readonly #service: Pick<Service, 'state'>;
  readonly #session: Pick<Session, 'state'>;
  readonly #log: Log;
  readonly #changes = new Emitter<TreeNode | undefined>();
  /** Fires with the node whose children are to be asked for again; undefined for all. */
  readonly onDidChange = this.#changes.event;
  /** Pages of transactions that were loaded on request, by fork id. */
  readonly #pages = new Map<string, ForkTransactions>();

  constructor(
    client: ApiClient,
    service: Pick<Service, 'state'>,
    session: Pick<Session, 'state'>,
    log: Log,
  ) {
    this.#client = client;
    this.#service = service;
    this.#session = session;
    this.#log = log;
  }

  /** Children of a node, or the roots. A failure becomes a node; where the welcome view says it better, nothing. */
  async children(parent?: TreeNode): Promise<TreeNode[]> {
    try {
      if (parent === undefined) return await this.#roots();
      if (parent.kind === 'project') return await this.#forks(parent);
      if (parent.kind === 'fork') return await this.#transactions(parent);
      return [];
    } catch (error) {
      if (isCancellation(error) || error instanceof ServiceUnavailableError) return [];
      const message = error instanceof Error ? error.message : String(error);
      this.#log.warn(`the tree could not be loaded: ${message}`);
      if (this.#session.state.kind === 'signedOut') return [];
      return [errorNode(message, parent)];
    }
  }

  refresh(node?: TreeNode): void {
    if (node === undefined) this.#pages.clear();
    if (node?.kind === 'fork') this.#pages.delete(node.fork.forkId);
    this.#changes.fire(node);
  }

  async loadMore({ parent }: LoadMoreNode, signal?: AbortSignal): Promise<void> {
    const { fork } = parent;
    const loaded = this.#pages.get(fork.forkId);
    if (loaded === undefined || loaded.nextCursor === null) return;
    const next = await this.#page(parent, loaded.nextCursor, signal);
    this.#pages.set(fork.forkId, {
      ...next,
      transactions: [...loaded.transactions, ...next.transactions],
    });
    this.#changes.fire(parent);
  }

  async #roots(): Promise<(ProjectNode | AccountNode)[]> {
    const projects = await this.#client.call('listProjects', {});
    const details = await Promise.allSettled(
      projects.map(({ projectId }) =>
        this.#client.call('getProject', { params: { project_id: projectId } }),
      ),
    );
    const nodes = projects.map((project, index): ProjectNode => {
      const detail = details[index];
      return {
        kind: 'project',
        project,
        detail: detail?.status === 'fulfilled' ? detail.value : undefined,
        expanded: index === 0,
      };
    });
    // Without projects the welcome view speaks, which needs an empty tree.
    return nodes.length === 0 ? [] : [...nodes, ...this.#account()];
  }

  #account(): AccountNode[] {
    const session = this.#session.state;
    const service = this.#service.state;
    if (session.kind !== 'signedIn' || service.kind !== 'running') return [];
    return [
      {
        kind: 'account',
        account: session.account,
        serviceUrl: service.url,
        remote: service.ownership === 'remote',
      },
    ];
  }

  async #forks(parent: ProjectNode): Promise<(ForkNode | EmptyNode)[]> {
    const forks = await this.#client.call('listForks', {
      params: { project_id: parent.project.projectId },
    });
    if (forks.length === 0) return [{ kind: 'empty', parent }];
    return forks.map((fork) => ({ kind: 'fork', parent, fork }));
  }

  async #transactions(parent: ForkNode): Promise<(TransactionNode | LoadMoreNode | EmptyNode)[]> {
    const { forkId } = parent.fork;
    const page = this.#pages.get(forkId) ?? (await this.#page(parent));
    this.#pages.set(forkId, page);
    const { transactions, total, nextCursor } = page;
    if (transactions.length === 0) return [{ kind: 'empty', parent }];
    const nodes = transactions.map((transaction): TransactionNode => ({
      kind: 'transaction',
      parent,
      transaction,
    }));
    if (nextCursor === null) return nodes;
    return [...nodes, { kind: 'loadMore', parent, remaining: total - transactions.length }];
  }

  #page(
    { fork, parent }: ForkNode,
    cursor?: string,
    signal?: AbortSignal,
  ): Promise<ForkTransactions> {
    return this.#client.call(
      'listForkTransactions',
      {
        params: { project_id: parent.project.projectId, fork_id: fork.forkId },
        query: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
      },
      signal === undefined ? {} : { signal },
    );
  }
}

function errorNode(message: string, parent: TreeNode | undefined): ErrorNode {
  const inside = parent?.kind === 'project' || parent?.kind === 'fork' ? parent : undefined;
  return { kind: 'error', parent: inside, message: sentence(message) };
}
