import { ADMIN_COMMANDS, LOCAL_COMMANDS } from './service-commands';

/** Commands whose handlers need more of the service than its REST interface: they are in a bundle of their own. */
export const LOCAL_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(ADMIN_COMMANDS),
  ...Object.keys(LOCAL_COMMANDS),
  'collaborator add',
  'collaborator remove',
]);
