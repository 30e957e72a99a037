import type { Scope } from '../api/account';
import type { AuditEntry, AuditQuery } from '../api/audit';
import type { CollaboratorRole } from '../api/project';

/** Injectable, so that tests can set the time. */
export type Clock = () => Date;

export interface User {
  /** `user_` and 32 hex digits. */
  userId: string;
  nickname: string;
  /** Lower case, unique. */
  email: string;
  /** RFC 3339, UTC. */
  createTime: string;
}

/** A stored access key: the key itself cannot be derived from it. */
export interface AccessKey {
  /** `key_` and 12 hex digits: the public part of the key. */
  keyId: string;
  userId: string;
  label: string;
  scopes: Scope[];
  /** SHA-256 of the whole key, hex. */
  hash: string;
  createTime: string;
  /** RFC 3339, UTC. Missing: the key does not expire. */
  expiresAt?: string | undefined;
  /** RFC 3339, UTC; up to a minute old. Missing: never used. */
  lastUsedAt?: string | undefined;
  /** Id of the key that replaces it, which is valid beside it until this one expires. */
  replacedBy?: string | undefined;
}

/** A key that was looked up. */
export interface FoundKey extends AccessKey {
  /** Set if the key has expired, by the clock of the store. */
  isExpired?: true;
}

export interface ProjectRecord {
  /** `project_` and 32 hex digits. */
  projectId: string;
  ownerId: string;
  name: string;
  createTime: string;
  /** Ids of the editors in the order of addition. */
  collaboratorIds: string[];
  /** Ids of the viewers in the order of addition, none of them an editor. Missing: none. */
  viewerIds?: string[] | undefined;
}

/*
 * Requirements of the store. A promise of a change settles when the change is durable; each change is atomic.
 * Lists are in the order of creation.
 */

export interface UserStore {
  /** Adds a user and the first project of this user together. Resolves `false` and adds nothing if the e-mail address is in use. */
  insertUser(user: User, firstProject: ProjectRecord): Promise<boolean>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByEmail(email: string): Promise<User | undefined>;
  listUsers(): Promise<readonly User[]>;
}

export interface AccessKeyStore {
  /**
   * Resolves `false` and adds nothing if the user already has `limit` keys that are valid. Removes keys of the user that expired long ago.
   * @param limit undefined: no limit
   */
  insertKey(key: AccessKey, limit?: number): Promise<boolean>;
  findKey(keyId: string): Promise<FoundKey | undefined>;
  listKeys(): Promise<readonly FoundKey[]>;
  /**
   * Adds a key that replaces another one, which expires at `expiresAt` or sooner.
   * Resolves `false` and changes nothing if the other does not exist, has expired, or was replaced before.
   */
  replaceKey(keyId: string, expiresAt: string, replacement: AccessKey): Promise<boolean>;
  /** @param uses times of the last use by key id, RFC 3339 in UTC; earlier times than the stored ones change nothing */
  noteKeyUses(uses: ReadonlyMap<string, string>): Promise<void>;
  /** Resolves `false` if the key does not exist. */
  deleteKey(keyId: string): Promise<boolean>;
}

export interface ProjectStore {
  /** Resolves `false` and adds nothing if the owner already has `limit` projects. */
  insertProject(project: ProjectRecord, limit: number): Promise<boolean>;
  findProject(projectId: string): Promise<ProjectRecord | undefined>;
  /** Projects that the user owns or collaborates on. */
  listProjectsOf(userId: string): Promise<readonly ProjectRecord[]>;
  /** Resolves `false` if the project does not exist. */
  renameProject(projectId: string, name: string): Promise<boolean>;
  /** Removes the project with its usage counters. */
  deleteProject(projectId: string): Promise<void>;
  /** Resolves `false` if the user already is a collaborator, in either role. */
  addCollaborator(projectId: string, userId: string, role: CollaboratorRole): Promise<boolean>;
  /**
   * If an editor becomes a viewer, renews the addresses of the project's forks in the same change, since the user knows the old ones.
   * Resolves `false` if the user is not a collaborator.
   */
  setCollaboratorRole(projectId: string, userId: string, role: CollaboratorRole): Promise<boolean>;
  /** If an editor is removed, renews the addresses, too. Resolves `false` if the user is not a collaborator. */
  removeCollaborator(projectId: string, userId: string): Promise<boolean>;
}

/** An entry of the audit log, with the users who may read it. */
export interface AuditRecord extends AuditEntry {
  userId?: string | undefined;
  /** Owner of the project at the time. */
  ownerId?: string | undefined;
}

/** Entries are never changed. The oldest are removed once there are very many. */
export interface AuditStore {
  /** Time of the youngest entry that this process has removed to make room; undefined: none. */
  readonly dropped: Date | undefined;
  append(record: AuditRecord): Promise<void>;
  /** Newest first. @param filter.reader id of a user, who did it or owned the project; undefined: all entries */
  list(filter: AuditFilter): Promise<readonly AuditRecord[]>;
}

/** A copy of the audit log outside the service. */
export interface AuditSink {
  /** Never throws, and does not wait. */
  write(entry: AuditEntry): void;
}

export interface AuditFilter extends Omit<AuditQuery, 'cursor'> {
  reader?: string | undefined;
  /** Only entries with a smaller id. */
  before?: string | undefined;
}

/** Transactions that one call executed on a fork. */
export interface ForkExecutions {
  forkId: string;
  /** Increases within the fork. */
  sequence: number;
  /** UTC, `YYYY-MM-DD`. */
  day: string;
  count: number;
}

/** Counters by project and UTC day (`YYYY-MM-DD`). They belong to the project and outlive its forks. */
export interface UsageStore {
  /** Visible at once; the promise settles when the change is durable. Executions with a known sequence are not counted again. */
  addUsage(projectId: string, executions: ForkExecutions): Promise<void>;
  /** Sum over the days from `firstDay` to `lastDay`, both included. */
  sumUsage(projectId: string, firstDay: string, lastDay: string): Promise<number>;
}
