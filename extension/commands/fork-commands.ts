import * as vscode from 'vscode';
import type { Fork } from '../../server/api/fork';
import { grouped } from '../views/format';
import { copyText } from './clipboard';
import type { CommandContext } from './command-context';
import type { Commands } from './commands';
import { branchBefore, createForkBefore, createForkInteractively } from './create-fork';
import { askTransaction, homeOf } from './transaction-targets';
import { forkOf } from './pickers';
import { withProgress } from './progress';
import { confirmDelete } from './project-commands';

export function forkCommands({
  client,
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
      const fork = await createForkInteractively(client, node?.project);
      tree.reload();
      void offerRpcUrl(fork);
    },

    'forklens.forkBeforeTransaction': async (target) => {
      const wanted = await askTransaction(client, target, 'Fork Before Transaction');
      const home = await homeOf(client, wanted);
      const fork =
        'chain' in home
          ? await createForkBefore(client, home.chain, wanted.transaction)
          : await branchBefore(client, home.fork, wanted.transaction);
      tree.reload();
      void offerRpcUrl(fork);
    },

    'forklens.deleteFork': async (node) => {
      const { project, fork } = await forkOf(client, node, 'Delete Fork');
      await confirmDelete(
        `Delete fork "${fork.name}"?`,
        'Its transactions and snapshots are deleted. Its RPC URL stops working.',
      );
      const params = { project_id: project.projectId, fork_id: fork.forkId };
      await withProgress(`Deleting fork "${fork.name}"…`, (signal) =>
        client.call('deleteFork', { params }, { signal }),
      );
      tree.reload();
    },

    'forklens.copyRpcUrl': async (node) => {
      const { fork } = await forkOf(client, node, 'Copy RPC URL');
      await copyText(fork.rpc, `the RPC URL of ${fork.name}`);
    },

    'forklens.copyForkId': async (node) => {
      const { fork } = await forkOf(client, node, 'Copy Fork ID');
      await copyText(fork.forkId, `the id of ${fork.name}`);
    },

    'forklens.loadMoreTransactions': async (node) => {
      await withProgress('Loading more transactions…', (signal) => tree.loadMore(node, signal));
    },
  };
}

async function offerRpcUrl(fork: Fork): Promise<void> {
  const copy = 'Copy RPC URL';
  const position = fork.position === null ? '' : `, position ${fork.position}`;
  const chosen = await vscode.window.showInformationMessage(
    `Fork "${fork.name}" of ${fork.chain} is ready at block ${grouped(BigInt(fork.height))}${position}.`,
    copy,
  );
  if (chosen === copy) await copyText(fork.rpc, `the RPC URL of ${fork.name}`);
}
