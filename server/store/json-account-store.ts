import type {
  AccessKey,
  AccessKeyStore,
  ForkExecutions,
  ProjectRecord,
  ProjectStore,
  UsageStore,
  User,
  UserStore,
} from '../projects/ports';
import type { JsonStore } from './json-store';
import { lookUp, remove } from './records';

/** Users, keys, projects and usage counters in the JSON store. Records that are handed out must not be changed. */
export class JsonAccountStore implements UserStore, AccessKeyStore, ProjectStore, UsageStore {
  readonly #store: JsonStore;

  constructor(store: JsonStore) {
    this.#store = store;
  }

  async insertUser(user: User, firstProject: ProjectRecord): Promise<boolean> {
    if (this.#userByEmail(user.email)) return false;
    await this.#store.change((data) => {
      data.users[user.userId] = user;
      data.projects[firstProject.projectId] = firstProject;
    });
    return true;
  }

  findUser(userId: string): Promise<User | undefined> {
    return Promise.resolve(lookUp(this.#store.data.users, userId));
  }

  findUserByEmail(email: string): Promise<User | undefined> {
    return Promise.resolve(this.#userByEmail(email));
  }

  listUsers(): Promise<readonly User[]> {
    return Promise.resolve(Object.values(this.#store.data.users));
  }

  insertKey(key: AccessKey): Promise<void> {
    return this.#store.change((data) => {
      data.keys[key.keyId] = key;
    });
  }

  findKey(keyId: string): Promise<AccessKey | undefined> {
    return Promise.resolve(lookUp(this.#store.data.keys, keyId));
  }

  listKeys(): Promise<readonly AccessKey[]> {
    return Promise.resolve(Object.values(this.#store.data.keys));
  }

  async deleteKey(keyId: string): Promise<boolean> {
    if (!lookUp(this.#store.data.keys, keyId)) return false;
    await this.#store.change((data) => {
      remove(data.keys, keyId);
    });
    return true;
  }

  async insertProject(project: ProjectRecord, limit: number): Promise<boolean> {
    const owned = Object.values(this.#store.data.projects).filter(
      ({ ownerId }) => ownerId === project.ownerId,
    );
    if (owned.length >= limit) return false;
    await this.#store.change((data) => {
      data.projects[project.projectId] = project;
    });
    return true;
  }

  findProject(projectId: string): Promise<ProjectRecord | undefined> {
    return Promise.resolve(lookUp(this.#store.data.projects, projectId));
  }

  listProjectsOf(userId: string): Promise<readonly ProjectRecord[]> {
    return Promise.resolve(
      Object.values(this.#store.data.projects).filter(
        ({ ownerId, collaboratorIds }) => ownerId === userId || collaboratorIds.includes(userId),
      ),
    );
  }

  deleteProject(projectId: string): Promise<void> {
    return this.#store.change((data) => {
      remove(data.projects, projectId);
      remove(data.usage, projectId);
    });
  }

  addCollaborator(projectId: string, userId: string): Promise<boolean> {
    return this.#changeCollaborators(projectId, (ids) =>
      ids.includes(userId) ? undefined : [...ids, userId],
    );
  }

  removeCollaborator(projectId: string, userId: string): Promise<boolean> {
    return this.#changeCollaborators(projectId, (ids) =>
      ids.includes(userId) ? ids.filter((id) => id !== userId) : undefined,
    );
  }

  addUsage(projectId: string, { forkId, sequence, day, count }: ForkExecutions): Promise<void> {
    return this.#store.change((data) => {
      const fork = lookUp(data.forks, forkId);
      if (fork && sequence <= (fork.counted ?? 0)) return;
      if (fork) fork.counted = sequence;
      // A transaction may end after its project: what is gone stays gone.
      if (!lookUp(data.projects, projectId)) return;
      const days = (data.usage[projectId] ??= {});
      days[day] = (days[day] ?? 0) + count;
    });
  }

  sumUsage(projectId: string, firstDay: string, lastDay: string): Promise<number> {
    const days = Object.entries(lookUp(this.#store.data.usage, projectId) ?? {});
    return Promise.resolve(
      days
        .filter(([day]) => firstDay <= day && day <= lastDay)
        .reduce((sum, [, count]) => sum + count, 0),
    );
  }

  #userByEmail(email: string): User | undefined {
    return Object.values(this.#store.data.users).find((user) => user.email === email);
  }

  async #changeCollaborators(
    projectId: string,
    change: (ids: readonly string[]) => string[] | undefined,
  ): Promise<boolean> {
    const project = lookUp(this.#store.data.projects, projectId);
    const collaboratorIds = project && change(project.collaboratorIds);
    if (!collaboratorIds) return false;
    await this.#store.change((data) => {
      data.projects[projectId] = { ...project, collaboratorIds };
    });
    return true;
  }
}
