import { AccessKeys } from '../projects/access-keys';
import { AdminCommands } from '../projects/admin-commands';
import { AuditLog } from '../projects/audit-log';
import { ChangeFeed } from '../projects/change-feed';
import { LocalUser } from '../projects/local-user';
import type { AuditSink, Clock } from '../projects/ports';
import { Projects } from '../projects/projects';
import { UsageStatistics } from '../projects/usage';
import { Users } from '../projects/users';
import type { Storage } from './storage';

export interface AccountsOptions {
  storage: Pick<Storage, 'users' | 'keys' | 'projects' | 'usage' | 'audit'>;
  clock: Clock;
  auditSink?: AuditSink;
  warn: (facts: object, message: string) => void;
}

/** Users, their keys, and what tells them of changes. */
export interface Accounts {
  users: Users;
  keys: AccessKeys;
  usage: UsageStatistics;
  localUser: LocalUser;
  feed: ChangeFeed;
  audit: AuditLog;
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { storage, clock, warn, auditSink } = options;
  const users = new Users(storage.users, clock);
  const keys = new AccessKeys(storage.keys, storage.users, clock);
  return {
    users,
    keys,
    usage: new UsageStatistics(storage.usage, clock),
    localUser: new LocalUser(users, keys),
    feed: new ChangeFeed(storage.projects),
    audit: new AuditLog(storage.audit, storage.projects, clock, warn, auditSink),
  };
}

export interface ProjectsOptions {
  storage: Pick<Storage, 'users' | 'projects'>;
  projectLimit: number;
  clock: Clock;
  deleteForksOf: (projectId: string) => Promise<void>;
  /** Called after the store has replaced the addresses of a project's forks. */
  addressesRenewed: (projectId: string) => Promise<void>;
}

/** Users, keys and projects over a store. The service and the command line share them. */
export interface AccountServices extends Accounts {
  projects: Projects;
  admin: AdminCommands;
}

/** Adds the projects, whose forks are there by now. */
export function addProjects(accounts: Accounts, options: ProjectsOptions): AccountServices {
  const { storage, projectLimit, clock, deleteForksOf, addressesRenewed } = options;
  const { users, keys, audit, feed } = accounts;
  const projects = new Projects({
    store: storage.projects,
    users: storage.users,
    clock,
    limit: projectLimit,
    deleteForksOf,
    addressesRenewed,
    changes: feed,
  });
  return { ...accounts, projects, admin: new AdminCommands({ users, keys, projects, audit }) };
}

export const createAccountServices = (
  options: AccountsOptions & ProjectsOptions,
): AccountServices => addProjects(createAccounts(options), options);
