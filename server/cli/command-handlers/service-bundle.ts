import type { CommandName } from '../command-specs/commands';
import type { ADMIN_COMMANDS, LOCAL_COMMANDS } from '../command-specs/service-commands';
import type { CI_COMMANDS } from '../command-specs/ci-commands';
import type { LOCK_COMMANDS } from '../command-specs/lock-commands';
import { accountCommands } from './account-commands';
import { caseCommands } from './case-commands';
import { runHandler, type Context, type Handlers } from './context';
import { dataCommands } from './data-commands';
import { eventsCommand } from './events-command';
import { forkCommands } from './fork-commands';
import { forkStateCommands } from './fork-state-commands';
import { historyCommands } from './history-commands';
import { projectCommands } from './project-commands';
import { snapshotCommands } from './snapshot-commands';
import { transactionCommands } from './transaction-commands';

export { openContext } from './open-context';

/** Commands that use only the service's REST interface and the addresses of forks. */
const serviceCommands: Handlers<
  Exclude<
    CommandName,
    | keyof typeof ADMIN_COMMANDS
    | keyof typeof LOCAL_COMMANDS
    | keyof typeof LOCK_COMMANDS
    | keyof typeof CI_COMMANDS
    | 'collaborator add'
    | 'collaborator role'
    | 'collaborator remove'
  >
> = {
  ...accountCommands,
  ...caseCommands,
  ...dataCommands,
  ...forkCommands,
  ...forkStateCommands,
  ...projectCommands,
  ...snapshotCommands,
  ...transactionCommands,
  ...historyCommands,
  events: eventsCommand,
};

/** Entry point of a separate bundle. */
export const runCommand = (name: string, input: unknown, context: Context): Promise<void> =>
  runHandler(serviceCommands, name, input, context);
