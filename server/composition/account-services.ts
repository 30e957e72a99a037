import type { Logger } from 'pino';
import { AccessKeys } from '../projects/access-keys';
import { AdminCommands } from '../projects/admin-commands';
import { ChangeFeed } from '../projects/change-feed';
import { LocalUser } from '../projects/local-user';
import type { Clock } from '../projects/ports';
import { Projects } from '../projects/projects';
import { UsageStatistics } from '../projects/usage';
import { Users } from '../projects/users';
import { JsonAccountStore } from '../store/accounts/json-account-store';
import { JsonStore } from '../store/accounts/json-store';

export interface AccountServicesOptions {
  dataDir: string;
  projectLimit: number;
  clock: Clock;
  log: Logger;
  deleteForksOf: (projectId: string) => Promise<void>;
  /** Called after the store has replaced the addresses of a project's forks. */
  addressesRenewed: (projectId: string) => void;
}

/** Users, keys and projects over the store of a data directory. The service and the command line share them. */
export interface AccountServices {
  store: JsonStore;
  users: Users;
  keys: AccessKeys;
  projects: Projects;
  usage: UsageStatistics;
  admin: AdminCommands;
  localUser: LocalUser;
  feed: ChangeFeed;
}

/** The caller must hold the lock of the data directory. */
export async function openAccountServices(
  options: AccountServicesOptions,
): Promise<AccountServices> {
  const { dataDir, projectLimit, clock, log, deleteForksOf, addressesRenewed } = options;
  const store = await JsonStore.open(dataDir, clock, (facts, text) => {
    log.error(facts, text);
  });
  const accounts = new JsonAccountStore(store);
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
    store,
    users,
    keys,
    projects,
    usage: new UsageStatistics(accounts, clock),
    admin: new AdminCommands(users, keys, projects),
    localUser: new LocalUser(users, keys),
    feed,
  };
}
