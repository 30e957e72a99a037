import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import type { ApiClient } from '../model/api-client';
import { UserCancelledError } from '../model/errors';
import { forkPoint } from '../model/fork-point';
import { pick } from './quick-input';
import type { ForkNode } from '../model/tree-node';

/** Returns the only project, or the one that the user picks. */
export async function pickProject(client: ApiClient, title: string): Promise<Project> {
  const projects = await client.call('listProjects', {});
  const [first] = projects;
  if (first !== undefined && projects.length === 1) return first;
  const { value } = await pick({
    title,
    placeholder: l10n.t('Project'),
    items: Promise.resolve(projects.map(projectItem)),
  });
  return value;
}

export interface ForkChoice {
  project: Project;
  fork: Fork;
}

/** Returns the fork that the user picks from all projects. */
export async function pickFork(client: ApiClient, title: string): Promise<ForkChoice> {
  const forks = await listAllForks(client);
  if (forks.length === 0) {
    void offerFirstFork();
    throw new UserCancelledError();
  }
  const { value } = await pick({
    title,
    placeholder: l10n.t('Fork'),
    items: Promise.resolve(forks.map(forkItem)),
  });
  return value;
}

/** Returns the fork of a tree node, or the one that the user picks. */
export async function forkOf(
  client: ApiClient,
  node: ForkNode | undefined,
  title: string,
): Promise<ForkChoice> {
  return node === undefined
    ? await pickFork(client, title)
    : { project: node.parent.project, fork: node.fork };
}

export async function listAllForks(client: ApiClient, signal?: AbortSignal): Promise<ForkChoice[]> {
  const options = signal === undefined ? {} : { signal };
  const projects = await client.call('listProjects', {}, options);
  const lists = await Promise.all(
    projects.map(async (project) => {
      const params = { project_id: project.projectId };
      const forks = await client.call('listForks', { params }, options);
      return forks.map((fork) => ({ project, fork }));
    }),
  );
  return lists.flat();
}

export function forkItem(choice: ForkChoice): vscode.QuickPickItem & { value: ForkChoice } {
  const { fork, project } = choice;
  return {
    label: fork.name,
    description: `${forkPoint(fork)} · ${project.name}`,
    iconPath: new vscode.ThemeIcon('repo-forked'),
    value: choice,
  };
}

function projectItem(project: Project): vscode.QuickPickItem & { value: Project } {
  return { label: project.name, iconPath: new vscode.ThemeIcon('folder'), value: project };
}

async function offerFirstFork(): Promise<void> {
  const create = l10n.t('Create Fork');
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('There are no forks yet.'),
    create,
  );
  if (chosen === create) await vscode.commands.executeCommand('forklens.createFork');
}
