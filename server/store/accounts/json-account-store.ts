import { newSecret, type ForkRecord } from '../../forks/fork-record';
import type {
  AccessKey,
  AccessKeyStore,
  ForkExecutions,
  ProjectRecord,
  ProjectStore,
  UsageStore,
  User,
  UserStore,
} from '../../projects/ports';
import type { JsonStore } from './json-store';
import { lookUp, remove } from './records';

/** Users, keys, projects and usage counters in the JSON store. Callers must not change returned records. */
export class JsonAccountStore implements UserStore, AccessKeyStore, ProjectStore, UsageStore {
  readonly #store: JsonStore;

  constructor(store: JsonStore) {
    this.#store = store;
  }

  insertUser(user: User, firstProject: ProjectRecord): Promise<boolean> {
    return this.#store.change(({ users, projects }) => {
      if (userByEmail(users, user.email)) return false;
      users[user.userId] = user;
      projects[firstProject.projectId] = firstProject;
      return true;
    });
  }

  findUser(userId: string): Promise<User | undefined> {
    return Promise.resolve(lookUp(this.#store.data.users, userId));
  }

  findUserByEmail(email: string): Promise<User | undefined> {
    return Promise.resolve(userByEmail(this.#store.data.users, email));
  }

  listUsers(): Promise<readonly User[]> {
    return Promise.resolve(Object.values(this.#store.data.users));
  }

  async insertKey(key: AccessKey): Promise<void> {
    await this.#store.change(({ keys }) => {
      keys[key.keyId] = key;
      return true;
    });
  }

  findKey(keyId: string): Promise<AccessKey | undefined> {
    return Promise.resolve(lookUp(this.#store.data.keys, keyId));
  }

  listKeys(): Promise<readonly AccessKey[]> {
    return Promise.resolve(Object.values(this.#store.data.keys));
  }

  deleteKey(keyId: string): Promise<boolean> {
    return this.#store.change(({ keys }) => remove(keys, keyId));
  }

  insertProject(project: ProjectRecord, limit: number): Promise<boolean> {
    return this.#store.change(({ projects }) => {
      const owned = Object.values(projects).filter(({ ownerId }) => ownerId === project.ownerId);
      if (owned.length >= limit) return false;
      projects[project.projectId] = project;
      return true;
    });
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

  renameProject(projectId: string, name: string): Promise<boolean> {
    return this.#store.change(({ projects }) => {
      const project = lookUp(projects, projectId);
      if (project === undefined) return false;
      projects[projectId] = { ...project, name };
      return true;
    });
  }

  async deleteProject(projectId: string): Promise<void> {
    await this.#store.change(({ projects, usage }) => {
      remove(usage, projectId);
      return remove(projects, projectId);
    });
  }

  addCollaborator(projectId: string, userId: string): Promise<boolean> {
    return this.#changeCollaborators(projectId, (ids) =>
      ids.includes(userId) ? undefined : [...ids, userId],
    );
  }

  removeCollaborator(projectId: string, userId: string): Promise<boolean> {
    return this.#changeCollaborators(projectId, (ids, forks) => {
      if (!ids.includes(userId)) return undefined;
      for (const fork of Object.values(forks)) {
        if (fork.projectId === projectId) forks[fork.forkId] = { ...fork, secret: newSecret() };
      }
      return ids.filter((id) => id !== userId);
    });
  }

  addUsage(projectId: string, { forkId, sequence, day, count }: ForkExecutions): Promise<void> {
    // The fork's journal already contains them.
    return this.#store.note(({ forks, projects, usage }) => {
      const fork = lookUp(forks, forkId);
      if (fork && sequence <= (fork.counted ?? 0)) return false;
      if (fork) forks[forkId] = { ...fork, counted: sequence };
      // A transaction may finish after its project was deleted.
      if (lookUp(projects, projectId)) {
        const days = lookUp(usage, projectId) ?? {};
        usage[projectId] = { ...days, [day]: (days[day] ?? 0) + count };
      }
      return true;
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

  #changeCollaborators(
    projectId: string,
    change: (ids: readonly string[], forks: Record<string, ForkRecord>) => string[] | undefined,
  ): Promise<boolean> {
    return this.#store.change(({ projects, forks }) => {
      const project = lookUp(projects, projectId);
      const collaboratorIds = project && change(project.collaboratorIds, forks);
      if (!collaboratorIds) return false;
      projects[projectId] = { ...project, collaboratorIds };
      return true;
    });
  }
}

const userByEmail = (users: Readonly<Record<string, User>>, email: string): User | undefined =>
  Object.values(users).find((user) => user.email === email);
