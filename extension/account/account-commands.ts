import { isKeyRefusal } from '../model/errors';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Account } from '../../server/api/account';
import { sentence } from '../model/sentence';
import { enterText } from '../ui/quick-input';
import type { ServiceConnection } from '../model/service';
import { copyText } from '../ui/clipboard';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { withProgress } from '../ui/progress';
import type { Session } from './session';

export function accountCommands({
  service,
  session,
}: Pick<CommandContext, 'service'> & { session: Session }): Pick<
  Commands,
  'forklens.signIn' | 'forklens.signOut' | 'forklens.copyAccessKey'
> {
  return {
    'forklens.signIn': async () => {
      const connection = await withProgress(l10n.t('Connecting to the Forklens service…'), () =>
        service.connect(),
      );
      const account =
        connection.issueAccessKey === undefined
          ? await signInWithKey(connection)
          : await session.signIn(connection, await connection.issueAccessKey());
      void vscode.window.showInformationMessage(
        l10n.t('Signed in to Forklens as {0}.', account.nickname),
      );
    },

    'forklens.signOut': async () => {
      await session.signOut();
      void vscode.window.showInformationMessage(l10n.t('Signed out of Forklens on this machine.'));
    },

    'forklens.copyAccessKey': async () => {
      const key = await session.accessKey(await service.connect());
      await copyText(key, l10n.t('the access key'));
    },
  };

  /** Asks until a key is accepted or the user cancels. */
  async function signInWithKey(connection: ServiceConnection): Promise<Account> {
    let error: string | undefined;
    for (;;) {
      const key = await enterText({
        title: l10n.t('Sign In to Forklens'),
        value: '',
        prompt: l10n.t('Access key for {0}', connection.url),
        placeholder: l10n.t('Issued by: forklens key create'),
        password: true,
        error,
        validate: (text) => (text.trim() === '' ? l10n.t('Enter an access key.') : undefined),
      });
      try {
        return await withProgress(l10n.t('Verifying the access key…'), () =>
          session.signIn(connection, key.trim()),
        );
      } catch (refusal) {
        if (!isKeyRefusal(refusal)) throw refusal;
        error = sentence(refusal.message);
      }
    }
  }
}
