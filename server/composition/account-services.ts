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

export interface AccountServicesOptions {
  storage: Pick<Storage, 'users' | 'keys' | 'projects' | 'usage' | 'audit'>;
  projectLimit: number;
  clock: Clock;
  auditSink?: AuditSink;
  warn: (facts: object, message: string) => void;
  deleteForksOf: (projectId: string) => Promise<void>;
  /** Called after the store has replaced the addresses of a project's forks. */
  addressesRenewed: (projectId: string) => Promise<void>;
}

/** Users, keys and projects over a store. The service and the command line share them. */
export interface AccountServices {
  users: Users;
  keys: AccessKeys;
  projects: Projects;
  usage: UsageStatistics;
  admin: AdminCommands;
  localUser: LocalUser;
  feed: ChangeFeed;
  audit: AuditLog;
}

export function createAccountServices(options: AccountServicesOptions): AccountServices {
  const { storage, projectLimit, clock, deleteForksOf, addressesRenewed, warn, auditSink } =
    options;
  const audit = new AuditLog(storage.audit, storage.projects, clock, warn, auditSink);
  const users = new Users(storage.users, clock);
  const keys = new AccessKeys(storage.keys, storage.users, clock);
  const feed = new ChangeFeed(storage.projects);
  const projects = new Projects({
    store: storage.projects,
    users: storage.users,
    clock,
    limit: projectLimit,
    deleteForksOf,
    addressesRenewed,
    changes: feed,
  });
  return {
    users,
    keys,
    projects,
    usage: new UsageStatistics(storage.usage, clock),
    admin: new AdminCommands({ users, keys, projects, audit }),
    localUser: new LocalUser(users, keys),
    feed,
    audit,
  };
}
