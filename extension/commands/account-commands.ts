import * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';
import type { Account } from '../../server/api/account';
import { sentence } from '../errors';
import { enterText } from '../quick-input/quick-input';
import type { ServiceConnection } from '../server-process/service';
import { copyText } from './clipboard';
import type { CommandContext } from './command-context';
import type { Commands } from './commands';
import { withProgress } from './progress';

export function accountCommands({
  service,
  session,
}: CommandContext): Pick<
  Commands,
  'forklens.signIn' | 'forklens.signOut' | 'forklens.copyAccessKey'
> {
  return {
    'forklens.signIn': async () => {
      const connection = await withProgress('Connecting to the Forklens service…', () =>
        service.connect(),
      );
      const account =
        connection.issueAccessKey === undefined
          ? await signInWithKey(connection)
          : await session.signIn(connection, await connection.issueAccessKey());
      void vscode.window.showInformationMessage(`Signed in to Forklens as ${account.nickname}.`);
    },

    'forklens.signOut': async () => {
      await session.signOut();
      void vscode.window.showInformationMessage('Signed out of Forklens on this machine.');
    },

    'forklens.copyAccessKey': async () => {
      const key = await session.accessKey(await service.connect());
      await copyText(key, 'the access key');
    },
  };

  /** Asks until a key is accepted, or the user gives up. */
  async function signInWithKey(connection: ServiceConnection): Promise<Account> {
    let error: string | undefined;
    for (;;) {
      const key = await enterText({
        title: 'Sign In to Forklens',
        value: '',
        prompt: `Access key for ${connection.url}`,
        placeholder: 'Issued by: forklens key create',
        password: true,
        error,
        validate: (text) => (text.trim() === '' ? 'Enter an access key.' : undefined),
      });
      try {
        return await withProgress('Verifying the access key…', () =>
          session.signIn(connection, key.trim()),
        );
      } catch (refusal) {
        if (!(refusal instanceof ApiError && refusal.kind === 'keyUnknown')) throw refusal;
        error = sentence(refusal.message);
      }
    }
  }
}
