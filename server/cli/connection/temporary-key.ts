import * as z from 'zod';
import { ApiError } from '../../api/errors';
import { LOCAL_USER } from '../../projects/local-user';
import { administer } from './administer';
import type { RunningService } from './running-service';

const usersSchema = z.array(z.object({ email: z.string() }));
const keySchema = z.object({ keyId: z.string(), key: z.string() });

/** A key of the local user for the time of one command. */
export interface TemporaryKey {
  key: string;
  revoke: () => Promise<void>;
}

/**
 * Issues a key on a service that keeps none in its data directory, as the editor's. Only where the machine's own user is the only
 * one who could be meant.
 * @throws ApiError `keyMissing` where the service has other users alone
 */
export async function issueTemporaryKey(service: RunningService): Promise<TemporaryKey> {
  const users = usersSchema.parse(await administer(service, 'listUsers', {}));
  const isKnown = users.some(({ email }) => email === LOCAL_USER.email);
  if (!isKnown && users.length > 0) {
    const message =
      'no access key is known for this service; give one by --access-key or FORKLENS_ACCESS_KEY, or issue one: forklens key create --user <email>';
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
      // A service that has ended meanwhile cannot be told: the key is known to nobody.
      await administer(service, 'revokeKey', { keyId: issued.keyId }).catch(() => undefined);
    },
  };
}
