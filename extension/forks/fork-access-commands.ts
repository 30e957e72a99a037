import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Fork } from '../../server/api/fork';
import { UserCancelledError } from '../model/errors';
import { connectionSnippets, type ForwardedAddress } from '../../server/client/connection-snippets';
import { forkRpc, rpcUrlOf } from '../../server/client/fork-rpc';
import { pick } from '../ui/quick-input';
import { copyText } from '../ui/clipboard';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { forkOf } from '../ui/pickers';
import { withProgress } from '../ui/progress';

/** Commands that access a fork from outside: its RPC URL for other tools, a terminal, single requests. */
export function forkAccessCommands({
  client,
  service,
  tree,
}: CommandContext): Pick<
  Commands,
  | 'forklens.startFork'
  | 'forklens.retryFork'
  | 'forklens.copyForkAs'
  | 'forklens.openForkTerminal'
  | 'forklens.sendRpcRequest'
  | 'forklens.renewRpcUrl'
> {
  const start: Commands['forklens.startFork'] = async (node) => {
    const { fork } = await forkOf(client, node, l10n.t('Start Fork'));
    await withProgress(l10n.t('Starting fork "{0}"…', fork.name), (signal) =>
      forkRpc(fork, 'eth_blockNumber', [], signal),
    );
  };

  return {
    'forklens.startFork': start,
    'forklens.retryFork': start,

    'forklens.renewRpcUrl': async (node) => {
      const { project, fork } = await forkOf(client, node, l10n.t('Renew RPC URL'));
      await confirmRenewal(fork);
      const params = { project_id: project.projectId, fork_id: fork.forkId };
      const renewed = await withProgress(
        l10n.t('Renewing the RPC URL of "{0}"…', fork.name),
        (signal) => client.call('renewForkAddress', { params }, { signal }),
      );
      tree.reload();
      await copyText(renewed.rpc, l10n.t('the new RPC URL of {0}', fork.name));
    },

    'forklens.copyForkAs': async (node) => {
      const title = l10n.t('Copy As');
      const { fork } = await forkOf(client, node, title);
      const { value } = await pick({
        title: `${title}: ${fork.name}`,
        placeholder: l10n.t('What to paste it into'),
        items: client.call('listChains', {}).then(async (chains) => {
          const chain = chains.find(({ slug }) => slug === fork.chain);
          const nativeSymbol = chain?.nativeSymbol ?? 'ETH';
          const forwarded = await forwardedAddress(rpcUrlOf(fork));
          return connectionSnippets({ ...fork, nativeSymbol }, forwarded).map((snippet) => ({
            label: snippet.label,
            description: snippet.detail,
            value: snippet,
          }));
        }),
      });
      await copyText(value.text, l10n.t('{0} as {1}', fork.name, value.label));
    },

    'forklens.openForkTerminal': async (node) => {
      const { fork } = await forkOf(client, node, l10n.t('Open Terminal'));
      vscode.window
        .createTerminal({
          name: l10n.t('Fork {0}', fork.name),
          iconPath: new vscode.ThemeIcon('repo-forked'),
          env: { ETH_RPC_URL: rpcUrlOf(fork) },
          // The address expires with the window: a restored terminal would have an outdated one.
          isTransient: true,
        })
        .show();
    },

    'forklens.sendRpcRequest': async (node) => {
      const { sendRpcRequest } = await import('./fork-forms');
      await sendRpcRequest({ client, service }, node);
    },
  };
}

/** Undefined if the service's own address also works on the user's computer. */
async function forwardedAddress(rpc: string): Promise<ForwardedAddress | undefined> {
  const { remoteName } = vscode.env;
  if (remoteName === undefined) return undefined;
  const uri = await vscode.env.asExternalUri(vscode.Uri.parse(rpc, true));
  const forwarded = uri.toString(true);
  return forwarded === rpc ? undefined : { rpc: forwarded, from: remoteName };
}

/** @throws UserCancelledError unless the user agrees */
async function confirmRenewal({ name }: Fork): Promise<void> {
  const renew = l10n.t('Renew');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Give fork "{0}" another RPC URL?', name),
    {
      modal: true,
      detail: l10n.t('The current URL stops working at once for everyone. The new URL is copied.'),
    },
    renew,
  );
  if (answer !== renew) throw new UserCancelledError();
}
