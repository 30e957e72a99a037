import type { ShownKey } from '../../api/access-keys';
import type { Scope } from '../../api/account';
import type { IssuedKey } from '../../projects/access-keys';
import type { ListedKey } from '../../projects/admin-commands';
import type { Context, Handlers } from '../command-handlers/context';
import { runAdminCommand } from './admin-client';

/** Commands for access keys: of all users by the administration of the data directory, else of the user of a profile over REST. */
export const keyCommands: Handlers<'key create' | 'key list' | 'key revoke' | 'key rotate'> = {
  'key create': async ({ user, scope, label, expiresInDays }, { globals, out, connection }) => {
    const scopes = scope.split(',').map((one) => one.trim());
    const issued =
      user === undefined
        ? await connection.client.call('createKey', {
            body: { name: label ?? 'command line', scopes: scopes as Scope[], expiresInDays },
          })
        : await runAdminCommand(globals, 'createKey', { user, scopes, label, expiresInDays });
    out.result(issued, issuedText(issued));
  },

  'key list': async ({ user, ...format }, { globals, out, connection }) => {
    const keys: readonly (ListedKey | ShownKey)[] = (await connection.isOfDataDirectory())
      ? await runAdminCommand(globals, 'listKeys', { user })
      : await connection.client.call('listKeys', {});
    const rows = keys.map((key) => [
      key.keyId,
      'user' in key ? key.user : '',
      key.scopes.join(','),
      key.createTime,
      `${key.expiresAt ?? ''}${key.isExpired ? ' (expired)' : ''}`,
      key.lastUsedAt ?? '',
      'label' in key ? key.label : key.name,
    ]);
    const columns = ['ID', 'USER', 'SCOPES', 'SINCE', 'EXPIRES', 'LAST USE', 'LABEL'];
    out.list(keys, { columns, rows }, format);
  },

  'key revoke': async ({ id }, context) => {
    const result = (await context.connection.isOfDataDirectory())
      ? await runAdminCommand(context.globals, 'revokeKey', { keyId: id })
      : await context.connection.client.call('revokeKey', { params: { key_id: id } });
    context.out.result(result, `Revoked ${id}.`);
  },

  'key rotate': async ({ id, overlapSeconds }, context) => {
    const issued = await rotate(id, overlapSeconds, context);
    const text = `${issuedText(issued)}\n${id} stays valid for ${overlapSeconds} s.`;
    context.out.result(issued, text);
  },
};

type Issued = Pick<IssuedKey, 'key' | 'keyId' | 'scopes'>;

async function rotate(
  id: string,
  overlapSeconds: number,
  { connection, globals }: Context,
): Promise<Issued> {
  if (await connection.isOfDataDirectory()) {
    return runAdminCommand(globals, 'rotateKey', { keyId: id, overlapSeconds });
  }
  const params = { key_id: id };
  return connection.client.call('rotateKey', { params, body: { overlapSeconds } });
}

const issuedText = ({ key, keyId, scopes }: Issued): string =>
  [
    `Access key: ${key}`,
    `Its id is ${keyId} (${scopes.join(', ')}). The key is not shown again.`,
  ].join('\n');
