import { timingSafeEqual } from 'node:crypto';
import { success } from '../api/envelope';
import { ApiError, shown } from '../api/errors';
import { toAdminCommand, type AdminCommands } from '../projects/admin-commands';
import type { LocalHandler } from './context';
import { readFields } from './operations';

/**
 * `POST /admin/:command` for the command line on this machine: who can read `service.json` in the data directory has
 * the token. To everybody else the route does not exist.
 */
export function createAdminHandler(commands: AdminCommands, token: string): LocalHandler {
  return async (request, response) => {
    if (!isToken(request.get('Authorization'), token)) {
      throw new ApiError('routeNotFound', `there is no route ${shown(request.path)}`);
    }
    const command = toAdminCommand(request.params['command'] ?? '');
    response.locals.operation = `admin.${command}`;
    response.json(success(await commands.run(command, await readFields(request, response))));
  };
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
