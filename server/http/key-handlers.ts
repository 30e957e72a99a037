import type { ShownKey } from '../api/access-keys';
import type { AccessKeys, IssuedKey } from '../projects/access-keys';
import type { FoundKey } from '../projects/ports';
import type { Handlers } from './context';

type KeyHandlers = Pick<Handlers, 'listKeys' | 'createKey' | 'revokeKey' | 'rotateKey'>;

/** Handlers of the operations on the caller's access keys. */
export function keyHandlers(keys: AccessKeys): KeyHandlers {
  return {
    listKeys: async (_, { user }) => (await keys.list(user.userId)).map(toShown),
    createKey: async ({ body }, caller) => toIssued(await keys.issueBy(caller, body)),
    revokeKey: async ({ params }, caller) => {
      await keys.revokeBy(caller, params.key_id);
      return null;
    },
    rotateKey: async ({ params, body }, caller) =>
      toIssued(await keys.rotateBy(caller, params.key_id, body.overlapSeconds)),
  };
}

const toIssued = ({ key, ...facts }: IssuedKey): ShownKey & { key: string } => ({
  ...toShown(facts),
  key,
});

/** Without the hash, and without what belongs to the user. */
const toShown = ({
  keyId,
  label,
  scopes,
  createTime,
  isExpired,
  ...times
}: Omit<FoundKey, 'hash'>): ShownKey => ({
  keyId,
  name: label,
  scopes,
  createTime,
  isExpired: isExpired === true,
  ...(times.expiresAt === undefined ? {} : { expiresAt: times.expiresAt }),
  ...(times.lastUsedAt === undefined ? {} : { lastUsedAt: times.lastUsedAt }),
  ...(times.replacedBy === undefined ? {} : { replacedBy: times.replacedBy }),
});
