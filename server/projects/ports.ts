import type { Scope } from '../api/account';

/** Injected so that tests choose the time. */
export type Clock = () => Date;

export interface User {
  /** `user_` and 32 hex digits */
  userId: string;
  nickname: string;
  /** Lower case; no two users share one. */
  email: string;
  /** RFC 3339, UTC */
  createTime: string;
}

/** An access key as kept: what was shown once cannot be told from it. */
export interface AccessKey {
  /** `key_` and 12 hex digits: the public part of the key */
  keyId: string;
  userId: string;
  label: string;
  scopes: Scope[];
  /** SHA-256 of the whole key, hex */
  hash: string;
  createTime: string;
}

export interface ProjectRecord {
  /** `project_` and 32 hex digits */
  projectId: string;
  ownerId: string;
  name: string;
  createTime: string;
  /** User ids, in the order in which they were added. */
  collaboratorIds: string[];
}

/*
 * What the store must offer. A promise of a change settles when the change is durable; each change is atomic.
 * Lists are in the order of creation.
 */

export interface UserStore {
  /** Adds a user and their first project together. Resolves `false`, and adds nothing, where the e-mail address is taken. */
  insertUser(user: User, firstProject: ProjectRecord): Promise<boolean>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByEmail(email: string): Promise<User | undefined>;
  listUsers(): Promise<readonly User[]>;
}

export interface AccessKeyStore {
  insertKey(key: AccessKey): Promise<void>;
  findKey(keyId: string): Promise<AccessKey | undefined>;
  listKeys(): Promise<readonly AccessKey[]>;
  /** Resolves `false` where there is no such key. */
  deleteKey(keyId: string): Promise<boolean>;
}

export interface ProjectStore {
  /** Resolves `false`, and adds nothing, where the owner has `limit` projects already. */
  insertProject(project: ProjectRecord, limit: number): Promise<boolean>;
  findProject(projectId: string): Promise<ProjectRecord | undefined>;
  /** Those that the user owns or collaborates on. */
  listProjectsOf(userId: string): Promise<readonly ProjectRecord[]>;
  /** Resolves `false` where there is no such project. */
  renameProject(projectId: string, name: string): Promise<boolean>;
  /** Removes the project with its usage counters. */
  deleteProject(projectId: string): Promise<void>;
  /** Resolves `false` where the user is one already. */
  addCollaborator(projectId: string, userId: string): Promise<boolean>;
  /**
   * Renews the addresses of the project's forks in the same change, as the user knows them.
   * Resolves `false` where the user is no collaborator.
   */
  removeCollaborator(projectId: string, userId: string): Promise<boolean>;
}

/** Transactions that were executed on a fork by one call. */
export interface ForkExecutions {
  forkId: string;
  /** Counts up within the fork. */
  sequence: number;
  /** UTC, `YYYY-MM-DD` */
  day: string;
  count: number;
}

/** Counters per project and UTC day (`YYYY-MM-DD`). They belong to the project and outlive its forks. */
export interface UsageStore {
  /** Seen at once; settles when it is durable. Executions of a fork that are known already are not counted again. */
  addUsage(projectId: string, executions: ForkExecutions): Promise<void>;
  /** Sum over the days from `firstDay` to `lastDay`, both included. */
  sumUsage(projectId: string, firstDay: string, lastDay: string): Promise<number>;
}
