import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Snapshot } from '../../server/api/snapshot';
import { UserCancelledError } from '../model/errors';
import { enterText, pick } from '../ui/quick-input';
import { grouped } from '../../server/client/format';
import type { SnapshotNode } from '../model/tree-node';
import { copyText } from '../ui/clipboard';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { nameProblem } from '../ui/input-rules';
import { forkOf, type ForkChoice } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { confirmDelete } from '../ui/confirm-delete';

interface SnapshotChoice extends ForkChoice {
  snapshot: Snapshot;
}

/** Commands that create, restore and delete snapshots of forks. */
export function snapshotCommands({
  client,
}: CommandContext): Pick<
  Commands,
  | 'forklens.createSnapshot'
  | 'forklens.revertSnapshot'
  | 'forklens.deleteSnapshot'
  | 'forklens.copySnapshotId'
> {
  return {
    'forklens.createSnapshot': async (node) => {
      const title = l10n.t('Create Snapshot');
      const choice = await forkOf(client, node?.kind === 'snapshots' ? node.parent : node, title);
      const text = await enterText({
        title,
        value: '',
        prompt: l10n.t('Name of the snapshot of "{0}", 1-64 characters', choice.fork.name),
        placeholder: l10n.t('funded'),
        validate: nameProblem,
      });
      const name = text.trim();
      await withProgress(l10n.t('Taking snapshot "{0}"…', name), (signal) =>
        client.call('createSnapshot', { params: forkParams(choice), body: { name } }, { signal }),
      );
    },

    'forklens.revertSnapshot': async (node) => {
      const choice = await snapshotOf(node, l10n.t('Restore Snapshot'));
      const { fork, snapshot } = choice;
      await confirmRevert(choice);
      await withProgress(l10n.t('Restoring "{0}" of "{1}"…', snapshot.name, fork.name), (signal) =>
        client.call('revertSnapshot', { params: snapshotParams(choice) }, { signal }),
      );
    },

    'forklens.deleteSnapshot': async (node) => {
      const choice = await snapshotOf(
        node,
        l10n.t('Delete Snapshot'),
        ({ isDefault }) => !isDefault,
      );
      const { fork, snapshot } = choice;
      await confirmDelete(
        l10n.t('Delete snapshot "{0}" of "{1}"?', snapshot.name, fork.name),
        l10n.t('The fork itself stays as it is.'),
      );
      await withProgress(l10n.t('Deleting snapshot "{0}"…', snapshot.name), (signal) =>
        client.call('deleteSnapshot', { params: snapshotParams(choice) }, { signal }),
      );
    },

    'forklens.copySnapshotId': async ({ snapshot }) => {
      await copyText(snapshot.snapshotId, l10n.t('the id of {0}', snapshot.name));
    },
  };

  async function snapshotOf(
    node: SnapshotNode | undefined,
    title: string,
    isOffered: (snapshot: Snapshot) => boolean = () => true,
  ): Promise<SnapshotChoice> {
    if (node !== undefined) {
      return { ...(await forkOf(client, node.parent.parent, title)), snapshot: node.snapshot };
    }
    const choice = await forkOf(client, undefined, title);
    const snapshots = await client.call('listSnapshots', { params: forkParams(choice) });
    const offered = snapshots.filter(isOffered);
    if (offered.length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t('Fork "{0}" has no snapshots but the default one, which stays.', choice.fork.name),
      );
      throw new UserCancelledError();
    }
    const { value } = await pick({
      title,
      placeholder: l10n.t('Snapshot of "{0}"', choice.fork.name),
      items: Promise.resolve(offered.map(snapshotItem)),
    });
    return { ...choice, snapshot: value };
  }
}

const forkParams = ({ project, fork }: ForkChoice): { project_id: string; fork_id: string } => ({
  project_id: project.projectId,
  fork_id: fork.forkId,
});

const snapshotParams = (
  choice: SnapshotChoice,
): ReturnType<typeof forkParams> & {
  snapshot_id: string;
} => ({ ...forkParams(choice), snapshot_id: choice.snapshot.snapshotId });

const snapshotItem = (snapshot: Snapshot): vscode.QuickPickItem & { value: Snapshot } => ({
  label: snapshot.name,
  description: l10n.t('block {0}', grouped(snapshot.blockNumber)),
  iconPath: new vscode.ThemeIcon('history'),
  value: snapshot,
});

/** @throws UserCancelledError unless the user agrees */
async function confirmRevert({ fork, snapshot }: SnapshotChoice): Promise<void> {
  const restore = l10n.t('Restore');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Revert "{0}" to snapshot "{1}"?', fork.name, snapshot.name),
    { modal: true, detail: l10n.t('All later changes of the fork are undone.') },
    restore,
  );
  if (answer !== restore) throw new UserCancelledError();
}
