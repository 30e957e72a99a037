import type { Change, ProjectChange } from '../api/changes';
import type { ProjectRecord, ProjectStore } from './ports';

type Listener = (change: Change) => void;

/** Notifies owners and collaborators of changes in their projects. */
export class ChangeFeed {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #store: Pick<ProjectStore, 'findProject'>;

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

  /** Notifies the users who currently see the project. */
  async publish(change: ProjectChange): Promise<void> {
    if (this.#listeners.size === 0) return;
    const project = await this.#store.findProject(change.projectId);
    if (project) this.notifyUsers(membersOf(project), change);
  }

  /** @param userIds ids of the affected users */
  notifyUsers(userIds: readonly string[], change: Change): void {
    for (const userId of userIds) {
      for (const listener of this.#listeners.get(userId) ?? []) listener(change);
    }
  }
}

/** Ids of the users who may see a project, the owner first. */
export const membersOf = ({ ownerId, collaboratorIds }: ProjectRecord): string[] => [
  ownerId,
  ...collaboratorIds,
];
