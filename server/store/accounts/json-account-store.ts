import type { CollaboratorRole } from '../../api/project';
import { newSecret } from '../../forks/life/fork-record';
import type {
  AccessKey,
  AccessKeyStore,
  Clock,
  ForkExecutions,
  FoundKey,
  ProjectRecord,
  ProjectStore,
  UsageStore,
  User,
  UserStore,
} from '../../projects/ports';
import { roleOf } from '../../projects/roles';
import type { JsonStore } from './json-store';
import { lookUp, remove } from './records';
import type { StoreData } from './schema';

/** Time for which an expired key is listed, in milliseconds. */
const KEPT_MS = 30 * 86_400_000;

/** Users, keys, projects and usage counters in the JSON store. Callers must not change returned records. */
export class JsonAccountStore implements UserStore, AccessKeyStore, ProjectStore, UsageStore {
  readonly #store: JsonStore;
  readonly #clock: Clock;

  constructor(store: JsonStore, clock: Clock = () => new Date()) {
    this.#store = store;
    this.#clock = clock;
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

  insertKey(key: AccessKey, limit = Infinity): Promise<boolean> {
    return this.#store.change(({ keys }) => {
      const own = Object.values(keys).filter(({ userId }) => userId === key.userId);
      if (own.filter((one) => !this.#isExpired(one)).length >= limit) return false;
      for (const one of own) if (this.#isExpired(one, KEPT_MS)) remove(keys, one.keyId);
      keys[key.keyId] = key;
      return true;
    });
  }

  findKey(keyId: string): Promise<FoundKey | undefined> {
    const key = lookUp(this.#store.data.keys, keyId);
    return Promise.resolve(key && this.#found(key));
  }

  listKeys(): Promise<readonly FoundKey[]> {
    return Promise.resolve(Object.values(this.#store.data.keys).map((key) => this.#found(key)));
  }

  replaceKey(keyId: string, expiresAt: string, replacement: AccessKey): Promise<boolean> {
    return this.#store.change(({ keys }) => {
      const old = lookUp(keys, keyId);
      if (!old || old.replacedBy !== undefined || this.#isExpired(old)) return false;
      const [soonest] = [expiresAt, old.expiresAt ?? expiresAt].sort();
      keys[keyId] = { ...old, expiresAt: soonest, replacedBy: replacement.keyId };
      keys[replacement.keyId] = replacement;
      return true;
    });
  }

  async noteKeyUses(uses: ReadonlyMap<string, string>): Promise<void> {
    await this.#store.change(({ keys }) => {
      let changed = false;
      for (const [keyId, lastUsedAt] of uses) {
        const key = lookUp(keys, keyId);
        if (!key || lastUsedAt <= (key.lastUsedAt ?? '')) continue;
        keys[keyId] = { ...key, lastUsedAt };
        changed = true;
      }
      return changed;
    });
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
        (project) => roleOf(project, userId) !== undefined,
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

  addCollaborator(projectId: string, userId: string, role: CollaboratorRole): Promise<boolean> {
    return this.#changeMember(projectId, userId, (now) => now ?? role);
  }

  setCollaboratorRole(projectId: string, userId: string, role: CollaboratorRole): Promise<boolean> {
    return this.#store.change((draft) => {
      const project = lookUp(draft.projects, projectId);
      const now = project && collaboratorRole(project, userId);
      if (!project || now === undefined) return false;
      if (now !== role) setRole(draft, project, userId, role);
      return true;
    });
  }

  removeCollaborator(projectId: string, userId: string): Promise<boolean> {
    return this.#changeMember(projectId, userId, () => undefined);
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

  #found(key: AccessKey): FoundKey {
    return this.#isExpired(key) ? { ...key, isExpired: true } : key;
  }

  /** Whether the key has been expired for some milliseconds. */
  #isExpired({ expiresAt }: AccessKey, ms = 0): boolean {
    return expiresAt !== undefined && Date.parse(expiresAt) + ms <= this.#clock().getTime();
  }

  /** @param change returns the new role for the present one; the same role: nothing changes */
  #changeMember(
    projectId: string,
    userId: string,
    change: (now: CollaboratorRole | undefined) => CollaboratorRole | undefined,
  ): Promise<boolean> {
    return this.#store.change((draft) => {
      const project = lookUp(draft.projects, projectId);
      if (!project) return false;
      const now = collaboratorRole(project, userId);
      const next = change(now);
      if (next === now) return false;
      setRole(draft, project, userId, next);
      return true;
    });
  }
}

function collaboratorRole(project: ProjectRecord, userId: string): CollaboratorRole | undefined {
  const role = roleOf(project, userId);
  return role === 'owner' ? undefined : role;
}

/** An editor who is one no longer knows the addresses of the forks, which are renewed. */
function setRole(
  { projects, forks }: Pick<StoreData, 'projects' | 'forks'>,
  project: ProjectRecord,
  userId: string,
  role: CollaboratorRole | undefined,
): void {
  const { projectId, collaboratorIds, viewerIds = [], ...rest } = project;
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== userId);
  const editors = [...without(collaboratorIds), ...(role === 'editor' ? [userId] : [])];
  const viewers = [...without(viewerIds), ...(role === 'viewer' ? [userId] : [])];
  projects[projectId] = {
    projectId,
    ...rest,
    collaboratorIds: editors,
    ...(viewers.length > 0 ? { viewerIds: viewers } : {}),
  };
  if (!collaboratorIds.includes(userId) || role === 'editor') return;
  for (const fork of Object.values(forks)) {
    if (fork.projectId === projectId) forks[fork.forkId] = { ...fork, secret: newSecret() };
  }
}

const userByEmail = (users: Readonly<Record<string, User>>, email: string): User | undefined =>
  Object.values(users).find((user) => user.email === email);
