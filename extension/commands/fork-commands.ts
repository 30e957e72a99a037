import * as vscode from 'vscode';
import type { Fork } from '../../server/api/fork';
import type { ForkNode } from '../views/tree-node';
import { grouped } from '../views/format';
import { copyText } from './clipboard';
import type { CommandContext } from './command-context';
import type { Commands } from './commands';
import { createForkInteractively } from './create-fork';
import { pickFork, type ForkChoice } from './pickers';
import { withProgress } from './progress';
import { confirmDelete } from './project-commands';

export function forkCommands({
  client,
  tree,
}: CommandContext): Pick<
  Commands,
  | 'forklens.createFork'
  | 'forklens.deleteFork'
  | 'forklens.copyRpcUrl'
  | 'forklens.copyForkId'
  | 'forklens.loadMoreTransactions'
> {
  const choiceOf = async (node: ForkNode | undefined, title: string): Promise<ForkChoice> =>
    node === undefined
      ? await pickFork(client, title)
      : { project: node.parent.project, fork: node.fork };

  return {
    'forklens.createFork': async (node) => {
      const fork = await createForkInteractively(client, node?.project);
      tree.refresh();
      void offerRpcUrl(fork);
    },

    'forklens.deleteFork': async (node) => {
      const { project, fork } = await choiceOf(node, 'Delete Fork');
      await confirmDelete(
        `Delete fork "${fork.name}"?`,
        'Its transactions and snapshots are deleted. Its RPC URL stops working.',
      );
      const params = { project_id: project.projectId, fork_id: fork.forkId };
      await withProgress(`Deleting fork "${fork.name}"…`, (signal) =>
        client.call('deleteFork', { params }, { signal }),
      );
      tree.refresh();
    },

    'forklens.copyRpcUrl': async (node) => {
      const { fork } = await choiceOf(node, 'Copy RPC URL');
      await copyText(fork.rpc, `the RPC URL of ${fork.name}`);
    },

    'forklens.copyForkId': async (node) => {
      const { fork } = await choiceOf(node, 'Copy Fork ID');
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
