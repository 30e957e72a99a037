import { CI_COMMANDS } from './ci-commands';
import { LOCK_COMMANDS } from './lock-commands';
import { ADMIN_COMMANDS, LOCAL_COMMANDS } from './service-commands';

/** Commands whose handlers need more parts of the service than its REST interface. They are in a separate bundle. */
export const LOCAL_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(ADMIN_COMMANDS),
  ...Object.keys(LOCAL_COMMANDS),
  'collaborator add',
  'collaborator role',
  'collaborator remove',
]);

/** Commands around a program that reads chains. They are in a bundle of their own. */
export const CI_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(LOCK_COMMANDS),
  ...Object.keys(CI_COMMANDS),
]);
