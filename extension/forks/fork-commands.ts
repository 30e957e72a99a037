import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Fork } from '../../server/api/fork';
import { rpcUrlOf } from '../../server/client/fork-rpc';
import { grouped } from '../../server/client/format';
import { copyText } from '../ui/clipboard';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { askTransaction, homeOf } from '../transactions/transaction-targets';
import { forkOf } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { confirmDelete } from '../ui/confirm-delete';

export function forkCommands({
  client,
  inspector,
  tree,
}: CommandContext): Pick<
  Commands,
  | 'forklens.createFork'
  | 'forklens.forkBeforeTransaction'
  | 'forklens.deleteFork'
  | 'forklens.copyRpcUrl'
  | 'forklens.copyForkId'
  | 'forklens.loadMoreTransactions'
> {
  return {
    'forklens.createFork': async (node) => {
      const { createForkInteractively } = await import('./fork-forms');
      const fork = await createForkInteractively(client, node?.project);
      tree.reload();
      void offerRpcUrl(fork);
    },

    'forklens.forkBeforeTransaction': async (target) => {
      const wanted = await askTransaction(
        client,
        target ?? inspector.active(),
        l10n.t('Fork Before Transaction'),
      );
      const home = await homeOf(client, wanted);
      const { branchBefore, createForkBefore } = await import('./fork-forms');
      const fork =
        'chain' in home
          ? await createForkBefore(client, home.chain, wanted.transaction)
          : await branchBefore(client, home.fork, wanted.transaction);
      tree.reload();
      void offerRpcUrl(fork);
    },

    'forklens.deleteFork': async (node) => {
      const { project, fork } = await forkOf(client, node, l10n.t('Delete Fork'));
      await confirmDelete(
        l10n.t('Delete fork "{0}"?', fork.name),
        l10n.t('Its transactions and snapshots are deleted. Its RPC URL stops working.'),
      );
      const params = { project_id: project.projectId, fork_id: fork.forkId };
      await withProgress(l10n.t('Deleting fork "{0}"…', fork.name), (signal) =>
        client.call('deleteFork', { params }, { signal }),
      );
      tree.reload();
    },

    'forklens.copyRpcUrl': async (node) => {
      const { fork } = await forkOf(client, node, l10n.t('Copy RPC URL'));
      await copyText(rpcUrlOf(fork), l10n.t('the RPC URL of {0}', fork.name));
    },

    'forklens.copyForkId': async (node) => {
      const { fork } = await forkOf(client, node, l10n.t('Copy Fork ID'));
      await copyText(fork.forkId, l10n.t('the id of {0}', fork.name));
    },

    'forklens.loadMoreTransactions': async (node) => {
      await withProgress(l10n.t('Loading more transactions…'), (signal) =>
        tree.loadMore(node, signal),
      );
    },
  };
}

async function offerRpcUrl(fork: Fork): Promise<void> {
  const copy = l10n.t('Copy RPC URL');
  const block = grouped(BigInt(fork.height));
  const place =
    fork.position === null
      ? l10n.t('block {0}', block)
      : l10n.t('block {0}, position {1}', block, fork.position);
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('Fork "{0}" of {1} is ready at {2}.', fork.name, fork.chain, place),
    copy,
  );
  if (chosen === copy) await copyText(fork.rpc, l10n.t('the RPC URL of {0}', fork.name));
}
