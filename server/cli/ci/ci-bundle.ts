import { runHandler, type Context, type Handlers } from '../command-handlers/context';
import type { CI_COMMANDS } from '../command-specs/ci-commands';
import type { LOCK_COMMANDS } from '../command-specs/lock-commands';
import { lockCommands } from '../lock/lock-commands';
import { compareCommand } from './compare-command';
import { runJobCommand } from './run-command';

export { openContext } from '../command-handlers/open-context';

/** Commands around a program that reads chains. */
const commands: Handlers<keyof typeof LOCK_COMMANDS | keyof typeof CI_COMMANDS> = {
  ...lockCommands,
  'ci run': runJobCommand,
  'ci compare': compareCommand,
};

/** Entry point of a separate bundle. */
export const runCommand = (name: string, input: unknown, context: Context): Promise<void> =>
  runHandler(commands, name, input, context);
