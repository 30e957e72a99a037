import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Project } from '../../server/api/project';
import { UserCancelledError } from '../errors';
import { enterText } from '../quick-input/quick-input';
import { counted } from '../../server/client/format';
import type { ProjectNode } from '../views/tree-node';
import { copyText } from './clipboard';
import type { CommandContext } from './command-context';
import type { Commands } from './commands';
import { nameProblem } from './input-rules';
import { pickProject } from './pickers';
import { withProgress } from './progress';

export function projectCommands({
  client,
  tree,
}: CommandContext): Pick<
  Commands,
  'forklens.createProject' | 'forklens.deleteProject' | 'forklens.copyProjectId'
> {
  const projectOf = async (node: ProjectNode | undefined, title: string): Promise<Project> =>
    node?.project ?? (await pickProject(client, title));

  return {
    'forklens.createProject': async () => {
      // Fails early: the user should see a sign-in or service error before typing.
      await client.call('getAccount', {});
      const text = await enterText({
        title: l10n.t('Create Project'),
        value: '',
        prompt: l10n.t('Name of the project, 1-64 characters'),
        placeholder: 'audit-2026',
        validate: nameProblem,
      });
      const name = text.trim();
      await withProgress(l10n.t('Creating project "{0}"…', name), (signal) =>
        client.call('createProject', { body: { name } }, { signal }),
      );
      tree.reload();
    },

    'forklens.deleteProject': async (node) => {
      const { projectId, name } = await projectOf(node, l10n.t('Delete Project'));
      const params = { project_id: projectId };
      const forks = await client.call('listForks', { params });
      const detail =
        forks.length === 0
          ? l10n.t('It has no forks.')
          : l10n.t(
              'Its {0} and their transactions are deleted with it. Their RPC URLs stop working.',
              counted(forks.length, 'fork'),
            );
      await confirmDelete(l10n.t('Delete project "{0}"?', name), detail);
      await withProgress(l10n.t('Deleting project "{0}"…', name), (signal) =>
        client.call('deleteProject', { params }, { signal }),
      );
      tree.reload();
    },

    'forklens.copyProjectId': async (node) => {
      const { projectId, name } = await projectOf(node, l10n.t('Copy Project ID'));
      await copyText(projectId, l10n.t('the id of {0}', name));
    },
  };
}

/** @throws UserCancelledError unless the user agrees */
export async function confirmDelete(message: string, detail: string): Promise<void> {
  const remove = l10n.t('Delete');
  const options = { modal: true, detail };
  const answer = await vscode.window.showWarningMessage(message, options, remove);
  if (answer !== remove) throw new UserCancelledError();
}
