import type { Change, ProjectChange } from '../api/changes';
import type { ProjectRecord, ProjectStore } from './ports';

type Listener = (change: Change) => void;

/** Tells users what changed in the projects that they see: owner and collaborators alike. */
export class ChangeFeed {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #store: Pick<ProjectStore, 'findProject'>;

  constructor(store: Pick<ProjectStore, 'findProject'>) {
    this.#store = store;
  }

  /** @returns what ends the subscription */
  subscribe(userId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(userId) ?? new Set();
    this.#listeners.set(userId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(userId);
    };
  }

  /** How many subscriptions a user has. */
  count(userId: string): number {
    return this.#listeners.get(userId)?.size ?? 0;
  }

  /** Tells those who see the project at the moment. */
  async publish(change: ProjectChange): Promise<void> {
    if (this.#listeners.size === 0) return;
    const project = await this.#store.findProject(change.projectId);
    if (project) this.tell(membersOf(project), change);
  }

  /** @param userIds of those whom the change concerns */
  tell(userIds: readonly string[], change: Change): void {
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
