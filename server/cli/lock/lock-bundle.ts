import { runHandler, type Context } from '../command-handlers/context';
import { lockCommands } from './lock-commands';

export { openContext } from '../command-handlers/open-context';

/** Entry point of a separate bundle. */
export const runCommand = (name: string, input: unknown, context: Context): Promise<void> =>
  runHandler(lockCommands, name, input, context);
