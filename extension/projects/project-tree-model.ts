import type { Quota } from '../../server/api/quota';
import type { ForkChange, ProjectChange } from '../../server/api/changes';
import type { ApiClient } from '../model/api-client';
import { Emitter } from '../editor/emitter';
import { isCancellation, ServiceUnavailableError } from '../model/errors';
import { sentence } from '../model/sentence';
import type { Log } from '../editor/log';
import type { Service } from '../model/service';
import type { Session } from '../account/session';
import type { ForkContracts } from '../model/fork-contracts';
import { ForkContents } from './fork-contents';
import type {
  AccountNode,
  EmptyNode,
  ErrorNode,
  ForkNode,
  LoadMoreNode,
  NewForkNode,
  ProjectNode,
  TreeNode,
} from '../model/tree-node';

/** If the service changes all the time, the last answer is used. */
const MAX_ATTEMPTS = 4;

type ForkStateChange = Extract<ForkChange, { type: 'fork' }>;

/**
 * Loads projects, their forks and their contents as nodes, without the editor's API. `ProjectTreeView` shows them in the editor, and
 * `displayOf` says how each looks.
 */
export class ProjectTreeModel {
  readonly #client: ApiClient;
  readonly #service: Pick<Service, 'state'>;
  readonly #session: Pick<Session, 'state'>;
  readonly #log: Log;
  readonly #contents: ForkContents;
  readonly #contracts: ForkContracts;
  readonly #changes = new Emitter<TreeNode | undefined>();
  /** Fires with the node whose children must be loaded again; undefined for all. */
  readonly onDidChange = this.#changes.event;
  /** Nodes by id. Each node is reused while its project or fork exists, because change events must name nodes that the view contains. */
  readonly #projects = new Map<string, ProjectNode>();
  readonly #forks = new Map<string, ForkNode>();
  /** The last change event of each fork whose engine is starting, by fork id. */
  readonly #starting = new Map<string, ForkStateChange>();
  /** Counts fired changes. */
  #changeCount = 0;

  constructor(
    client: ApiClient,
    service: Pick<Service, 'state'>,
    session: Pick<Session, 'state'>,
    log: Log,
    contracts: ForkContracts,
  ) {
    this.#client = client;
    this.#service = service;
    this.#session = session;
    this.#log = log;
    this.#contents = new ForkContents(client, contracts);
    this.#contracts = contracts;
    contracts.onDidChange((forkId) => {
      const fork = this.#forks.get(forkId);
      if (fork !== undefined) this.#fireChange(fork);
    });
  }

  /**
   * Children of a node, or the roots. A failure becomes a node, or nothing if the welcome view explains it.
   * If something changed during the load, it is repeated: the view treats the result as the answer to the latest change event.
   */
  async children(parent?: TreeNode): Promise<TreeNode[]> {
    for (let attempt = 1; ; attempt++) {
      const changeCount = this.#changeCount;
      const nodes = await this.#load(parent);
      if (changeCount === this.#changeCount || attempt === MAX_ATTEMPTS) return nodes;
    }
  }

  async #load(parent: TreeNode | undefined): Promise<TreeNode[]> {
    try {
      if (parent === undefined) return await this.#roots();
      if (parent.kind === 'project') return await this.#forksOf(parent);
      if (parent.kind === 'fork') return await this.#contents.of(parent);
      if (parent.kind === 'snapshots') {
        return parent.snapshots.map((snapshot) => ({ kind: 'snapshot', parent, snapshot }));
      }
      if (parent.kind === 'contracts') {
        return parent.contracts.map((contract) => ({ kind: 'contract', parent, contract }));
      }
      if (parent.kind === 'contract') return await this.#contracts.functionsOf(parent);
      return [];
    } catch (error) {
      if (isCancellation(error) || error instanceof ServiceUnavailableError) return [];
      const message = error instanceof Error ? error.message : String(error);
      this.#log.warn(`the tree could not be loaded: ${message}`);
      if (this.#session.state.kind === 'signedOut' || this.#service.state.kind === 'failed') {
        return [];
      }
      return [errorNode(message, parent)];
    }
  }

  /** Reloads a node, or everything, and discards cached data. */
  refresh(node?: TreeNode): void {
    if (node === undefined) this.#contents.forgetAll();
    if (node?.kind === 'fork') this.#contents.forget(node.fork.forkId);
    // The state of a fork is part of its project's list.
    this.#fireChange(node?.kind === 'fork' ? node.parent : node);
  }

  /** Changes may have been missed. */
  reload(): void {
    this.#starting.clear();
    this.#contents.invalidate();
    this.#fireChange(undefined);
  }

  /** Applies a change event of the service. */
  async apply(change: ProjectChange): Promise<void> {
    if (change.type === 'project') {
      this.#fireChange(undefined);
      return;
    }
    const project = this.#projects.get(change.projectId);
    if (project === undefined) return;
    if (change.type === 'fork') {
      this.#applyState(project, change);
      return;
    }
    const { forkId } = change;
    if (change.type === 'transactions') {
      this.#contents.forgetTransactions(forkId);
      await this.#updateFigures(project);
      this.#fireChange(project);
    } else {
      this.#contents.forgetSnapshots(forkId);
      const fork = this.#forks.get(forkId);
      if (fork !== undefined) this.#fireChange(fork);
    }
  }

  async loadMore({ parent }: LoadMoreNode, signal?: AbortSignal): Promise<void> {
    if (await this.#contents.loadMore(parent, signal)) this.#fireChange(parent);
  }

  #fireChange(node: TreeNode | undefined): void {
    this.#changeCount++;
    this.#changes.fire(node);
  }

  #applyState(project: ProjectNode, change: ForkStateChange): void {
    const { forkId, state, progress } = change;
    const fork = this.#forks.get(forkId);
    if (state === 'creating' || progress !== undefined) this.#starting.set(forkId, change);
    else this.#starting.delete(forkId);
    if (state === 'deleting') this.#forks.delete(forkId);
    if (fork === undefined || progress === undefined) {
      this.#fireChange(project);
      return;
    }
    fork.progress = progress;
    this.#fireChange(fork);
  }

  async #updateFigures(node: ProjectNode): Promise<void> {
    const params = { project_id: node.project.projectId };
    node.detail = await this.#client.call('getProject', { params }).catch(() => node.detail);
  }

  async #roots(): Promise<(ProjectNode | AccountNode)[]> {
    const projects = await this.#client.call('listProjects', {});
    const [quota, details] = await Promise.all([
      // A service of an earlier version has no quotas.
      this.#client.call('getQuota', {}).catch(() => undefined),
      Promise.allSettled(
        projects.map(({ projectId }) =>
          this.#client.call('getProject', { params: { project_id: projectId } }),
        ),
      ),
    ]);
    const nodes = projects.map((project, index): ProjectNode => {
      const detail = details[index];
      return sameNode(this.#projects, project.projectId, {
        kind: 'project',
        project,
        detail: detail?.status === 'fulfilled' ? detail.value : undefined,
        expanded: index === 0,
      });
    });
    const listed = new Set(projects.map(({ projectId }) => projectId));
    for (const id of this.#projects.keys()) if (!listed.has(id)) this.#projects.delete(id);
    // Without projects the welcome view is shown, which needs an empty tree.
    return nodes.length === 0 ? [] : [...nodes, ...this.#account(nodes, quota)];
  }

  #account(projects: readonly ProjectNode[], quota: Quota | undefined): AccountNode[] {
    const session = this.#session.state;
    const service = this.#service.state;
    if (session.kind !== 'signedIn' || service.kind !== 'running') return [];
    return [
      {
        kind: 'account',
        account: session.account,
        serviceUrl: service.url,
        remote: service.ownership === 'remote',
        quota,
        roles: rolesIn(projects),
      },
    ];
  }

  async #forksOf(parent: ProjectNode): Promise<(ForkNode | NewForkNode | EmptyNode)[]> {
    const { projectId } = parent.project;
    const forks = await this.#client.call('listForks', { params: { project_id: projectId } });
    const listed = forks.map((fork): ForkNode => {
      const { progress } = this.#starting.get(fork.forkId) ?? {};
      return sameNode(this.#forks, fork.forkId, { kind: 'fork', parent, fork, progress });
    });
    const known = new Set(forks.map(({ forkId }) => forkId));
    const created = [...this.#starting.values()].filter(
      (fork) => fork.projectId === projectId && !known.has(fork.forkId),
    );
    const nodes = [
      ...listed,
      ...created.map((fork): NewForkNode => ({ kind: 'newFork', parent, fork })),
    ];
    const mayCreate = parent.detail?.role !== 'viewer';
    return nodes.length === 0 && mayCreate ? [{ kind: 'empty', parent }] : nodes;
  }
}

/** Updates and returns the existing node, or adds a new one. */
function sameNode<T extends ProjectNode | ForkNode>(nodes: Map<string, T>, id: string, now: T): T {
  const node = Object.assign(nodes.get(id) ?? now, now);
  nodes.set(id, node);
  return node;
}

function errorNode(message: string, parent: TreeNode | undefined): ErrorNode {
  const inside = parent?.kind === 'project' || parent?.kind === 'fork' ? parent : undefined;
  return { kind: 'error', parent: inside, message: sentence(message) };
}

function rolesIn(projects: readonly ProjectNode[]): AccountNode['roles'] {
  const roles = { owner: 0, collaborator: 0, viewer: 0 };
  for (const { detail } of projects) if (detail) roles[detail.role]++;
  return roles;
}
