import * as vscode from 'vscode';
import type { Snapshot } from '../../server/api/snapshot';
import { UserCancelledError } from '../errors';
import { enterText, pick } from '../quick-input/quick-input';
import { grouped } from '../views/format';
import type { SnapshotNode } from '../views/tree-node';
import { copyText } from './clipboard';
import type { CommandContext } from './command-context';
import type { Commands } from './commands';
import { nameProblem } from './input-rules';
import { forkOf, type ForkChoice } from './pickers';
import { withProgress } from './progress';
import { confirmDelete } from './project-commands';

interface SnapshotChoice extends ForkChoice {
  snapshot: Snapshot;
}

/** States of a fork to go back to. */
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
      const title = 'Create Snapshot';
      const choice = await forkOf(client, node?.kind === 'snapshots' ? node.parent : node, title);
      const text = await enterText({
        title,
        value: '',
        prompt: `Name of the snapshot of "${choice.fork.name}", 1-64 characters`,
        placeholder: 'funded',
        validate: nameProblem,
      });
      const name = text.trim();
      await withProgress(`Taking snapshot "${name}"…`, (signal) =>
        client.call('createSnapshot', { params: forkParams(choice), body: { name } }, { signal }),
      );
    },

    'forklens.revertSnapshot': async (node) => {
      const choice = await snapshotOf(node, 'Restore Snapshot');
      const { fork, snapshot } = choice;
      await confirmRevert(choice);
      await withProgress(`Restoring "${snapshot.name}" of "${fork.name}"…`, (signal) =>
        client.call('revertSnapshot', { params: snapshotParams(choice) }, { signal }),
      );
    },

    'forklens.deleteSnapshot': async (node) => {
      const choice = await snapshotOf(node, 'Delete Snapshot', ({ isDefault }) => !isDefault);
      const { fork, snapshot } = choice;
      await confirmDelete(
        `Delete snapshot "${snapshot.name}" of "${fork.name}"?`,
        'The fork itself stays as it is.',
      );
      await withProgress(`Deleting snapshot "${snapshot.name}"…`, (signal) =>
        client.call('deleteSnapshot', { params: snapshotParams(choice) }, { signal }),
      );
    },

    'forklens.copySnapshotId': async ({ snapshot }) => {
      await copyText(snapshot.snapshotId, `the id of ${snapshot.name}`);
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
        `Fork "${choice.fork.name}" has no snapshots but the default one, which stays.`,
      );
      throw new UserCancelledError();
    }
    const { value } = await pick({
      title,
      placeholder: `Snapshot of "${choice.fork.name}"`,
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
  description: `block ${grouped(snapshot.blockNumber)}`,
  iconPath: new vscode.ThemeIcon('history'),
  value: snapshot,
});

/** @throws UserCancelledError unless the user agrees */
async function confirmRevert({ fork, snapshot }: SnapshotChoice): Promise<void> {
  const restore = 'Restore';
  const answer = await vscode.window.showWarningMessage(
    `Take "${fork.name}" back to snapshot "${snapshot.name}"?`,
    { modal: true, detail: 'What was done on the fork since then is taken back.' },
    restore,
  );
  if (answer !== restore) throw new UserCancelledError();
}
