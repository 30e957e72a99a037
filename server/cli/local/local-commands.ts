import { adminCommands } from '../admin/admin-commands';
import { auditCommand } from '../admin/audit-command';
import { keyCommands } from '../admin/key-commands';
import { nodeCommands } from '../admin/node-commands';
import { runHandler, type Context, type Handlers } from '../command-handlers/context';
import { doctorCommand } from '../doctor/doctor';
import { storeCommands } from '../store/store-commands';
import type { ADMIN_COMMANDS, LOCAL_COMMANDS } from '../command-specs/service-commands';
import { demoCommand } from './demo';
import { mcpCommand } from './mcp';
import { sandboxListCommand } from './sandbox';
import { serveCommand } from './serve';
import { solcCommands } from './solc';

export { openContext } from '../command-handlers/open-context';

/** Commands that need more parts of the service than its REST interface. */
const localCommands: Handlers<
  | keyof typeof ADMIN_COMMANDS
  | Exclude<keyof typeof LOCAL_COMMANDS, 'completion'>
  | 'collaborator add'
  | 'collaborator role'
  | 'collaborator remove'
> = {
  ...adminCommands,
  ...keyCommands,
  audit: auditCommand,
  ...nodeCommands,
  ...storeCommands,
  'sandbox list': sandboxListCommand,
  demo: demoCommand,
  doctor: doctorCommand,
  mcp: mcpCommand,
  serve: serveCommand,
  ...solcCommands,
};

/** Entry point of a separate bundle. */
export const runCommand = (name: string, input: unknown, context: Context): Promise<void> =>
  runHandler(localCommands, name, input, context);
