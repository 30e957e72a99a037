import type { Change, ProjectChange } from '../api/changes';
import type { ProjectRecord, ProjectStore } from './ports';

type Listener = (change: Change) => void;

/** A change, for the clients of other nodes. */
export interface RelayedChange {
  change: Change;
  /** Ids of the affected users; undefined: those who see the project. */
  userIds?: readonly string[];
}

/** Notifies owners and collaborators of changes in their projects. */
export class ChangeFeed {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #store: Pick<ProjectStore, 'findProject'>;
  #relay: ((relayed: RelayedChange) => void) | undefined;

  constructor(store: Pick<ProjectStore, 'findProject'>) {
    this.#store = store;
  }

  /** @returns function that ends the subscription */
  subscribe(userId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(userId) ?? new Set();
    this.#listeners.set(userId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(userId);
    };
  }

  /** Number of subscriptions of a user. */
  count(userId: string): number {
    return this.#listeners.get(userId)?.size ?? 0;
  }

  /** Also passes all changes of this process on. */
  relayTo(relay: (relayed: RelayedChange) => void): void {
    this.#relay = relay;
  }

  /** Notifies the users who currently see the project. */
  async publish(change: ProjectChange): Promise<void> {
    this.#relay?.({ change });
    await this.#notifyMembers(change);
  }

  /** @param userIds ids of the affected users */
  notifyUsers(userIds: readonly string[], change: Change): void {
    this.#relay?.({ change, userIds });
    this.#notify(userIds, change);
  }

  /** Notifies the users of this process of a change that another one has passed on. */
  async receive({ change, userIds }: RelayedChange): Promise<void> {
    if (userIds) this.#notify(userIds, change);
    else if (change.type !== 'analysis') await this.#notifyMembers(change);
  }

  async #notifyMembers(change: ProjectChange): Promise<void> {
    if (this.#listeners.size === 0) return;
    const project = await this.#store.findProject(change.projectId);
    if (project) this.#notify(membersOf(project), change);
  }

  #notify(userIds: readonly string[], change: Change): void {
    for (const userId of userIds) {
      for (const listener of this.#listeners.get(userId) ?? []) listener(change);
    }
  }
}

/** What is the same for changes of which only the newest counts. */
export function subjectOf(change: Change): string {
  switch (change.type) {
    case 'project':
      return `project ${change.projectId}`;
    case 'analysis':
      return `analysis ${change.chain} ${change.hash}`;
    default:
      return `${change.type} ${change.forkId}`;
  }
}

/** Ids of the users who may see a project, the owner first. */
export const membersOf = (project: ProjectRecord): string[] => [
  project.ownerId,
  ...project.collaboratorIds,
  ...(project.viewerIds ?? []),
];
