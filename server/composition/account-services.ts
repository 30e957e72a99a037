import { AccessKeys } from '../projects/access-keys';
import { AdminCommands } from '../projects/admin-commands';
import { ChangeFeed } from '../projects/change-feed';
import { LocalUser } from '../projects/local-user';
import type { Clock } from '../projects/ports';
import { Projects } from '../projects/projects';
import { UsageStatistics } from '../projects/usage';
import { Users } from '../projects/users';
import type { Storage } from './storage';

export interface AccountServicesOptions {
  accounts: Storage['accounts'];
  projectLimit: number;
  clock: Clock;
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
}

export function createAccountServices(options: AccountServicesOptions): AccountServices {
  const { accounts, projectLimit, clock, deleteForksOf, addressesRenewed } = options;
  const users = new Users(accounts, clock);
  const keys = new AccessKeys(accounts, clock);
  const feed = new ChangeFeed(accounts);
  const projects = new Projects({
    store: accounts,
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
    usage: new UsageStatistics(accounts, clock),
    admin: new AdminCommands(users, keys, projects),
    localUser: new LocalUser(users, keys),
    feed,
  };
}
