import { ApiError } from '../api/errors';
import type { Caller } from '../projects/access-keys';
import { isLocalUser } from '../projects/local-user';

/**
 * Files of this machine are read and written for its own user alone.
 * @param why what the caller cannot do, and what to do instead
 * @throws ApiError `localUserOnly`
 */
export function requireLocalUser({ user }: Pick<Caller, 'user'>, why: string): void {
  if (!isLocalUser(user)) throw new ApiError('localUserOnly', why);
}
