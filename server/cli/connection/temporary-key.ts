import * as z from 'zod';
import { ApiError } from '../../api/errors';
import { LOCAL_USER } from '../../projects/local-user';
import { administer } from '../../client/service-record';
import type { RunningService } from './running-service';

const usersSchema = z.array(z.object({ email: z.string() }));
const keySchema = z.object({ keyId: z.string(), key: z.string() });

/** A key of the local user for the duration of one command. */
export interface TemporaryKey {
  key: string;
  revoke: () => Promise<void>;
}

/**
 * Issues a key on a service that stores none in its data directory, such as the editor's. Only if the service has no users or has the local
 * user.
 * @throws ApiError `keyMissing` if the service has only other users
 */
export async function issueTemporaryKey(service: RunningService): Promise<TemporaryKey> {
  const users = usersSchema.parse(await administer(service, 'listUsers', {}));
  const isKnown = users.some(({ email }) => email === LOCAL_USER.email);
  if (!isKnown && users.length > 0) {
    const message =
      'no access key is known for this service; set --access-key or FORKLENS_ACCESS_KEY, or create a key: forklens key create --user <email>';
    throw new ApiError('keyMissing', message);
  }
  if (!isKnown) await administer(service, 'addUser', LOCAL_USER);
  const issued = keySchema.parse(
    await administer(service, 'createKey', {
      user: LOCAL_USER.email,
      scopes: ['manage', 'analyze'],
      label: 'command line',
    }),
  );
  return {
    key: issued.key,
    revoke: async () => {
      // If the service has stopped in the meantime, the key stays valid; no other process has it.
      await administer(service, 'revokeKey', { keyId: issued.keyId }).catch(() => undefined);
    },
  };
}
