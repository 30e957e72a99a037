import { success } from '../api/envelope';
import { ApiError, shown } from '../api/errors';
import { hasBearerToken } from './bearer-token';
import type { LocalHandler } from './context';
import { readFields } from './request-body';

/** Commands by name. */
export interface AdminCommandSet {
  /** @returns undefined for an unknown name; the returned function throws `ApiError` */
  find(name: string): ((input: unknown) => Promise<unknown>) | undefined;
}

/**
 * `POST /admin/:command`, for the command line on this machine: a process that can read `service.json` in the data directory has the token.
 * Without the token, the route does not exist.
 */
export function createAdminHandler(sets: readonly AdminCommandSet[], token: string): LocalHandler {
  return async (request, response) => {
    if (!hasBearerToken(request, token)) {
      throw new ApiError('routeNotFound', `there is no route ${shown(request.path)}`);
    }
    const name = request.params['command'] ?? '';
    const command = sets.map((set) => set.find(name)).find((found) => found !== undefined);
    if (command === undefined) {
      throw new ApiError('routeNotFound', `there is no command ${shown(name)}`);
    }
    response.locals.operation = `admin.${name}`;
    response.json(success(await command(await readFields(request, response))));
  };
}
