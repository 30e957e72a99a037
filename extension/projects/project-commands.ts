import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Project } from '../../server/api/project';
import { enterText } from '../ui/quick-input';
import { counted } from '../../server/client/format';
import type { ProjectNode } from '../model/tree-node';
import { copyText } from '../ui/clipboard';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { confirmDelete } from '../ui/confirm-delete';
import { nameProblem } from '../ui/input-rules';
import { pickProject } from '../ui/pickers';
import { withProgress } from '../ui/progress';

export function projectCommands({
  client,
  tree,
}: CommandContext): Pick<
  Commands,
  | 'forklens.createProject'
  | 'forklens.deleteProject'
  | 'forklens.copyProjectId'
  | 'forklens.findInProjects'
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

    /** The editor's own search of trees highlights or filters as its setting says. */
    'forklens.findInProjects': async () => {
      await vscode.commands.executeCommand('forklens.projects.focus');
      await vscode.commands.executeCommand('list.find');
    },

    'forklens.copyProjectId': async (node) => {
      const { projectId, name } = await projectOf(node, l10n.t('Copy Project ID'));
      await copyText(projectId, l10n.t('the id of {0}', name));
    },
  };
}
