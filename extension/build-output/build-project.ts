import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/**
 * Runs the workspace's default build task, otherwise the build of the Foundry or Hardhat project of a source, and waits for its end.
 * Its terminal shows what it prints.
 * @param source path of a source of the project
 * @returns whether the build succeeded
 */
export async function buildProject(source: string): Promise<boolean> {
  await vscode.workspace.saveAll(false);
  const task = (await defaultBuild()) ?? (await projectBuild(source));
  const isOurs = ({ execution }: vscode.TaskEndEvent): boolean =>
    execution.task.name === task.name && execution.task.source === task.source;
  const subscriptions: vscode.Disposable[] = [];
  const ended = new Promise<number | undefined>((resolve) => {
    subscriptions.push(
      vscode.tasks.onDidEndTaskProcess((event) => {
        if (isOurs(event)) resolve(event.exitCode);
      }),
      // A task that could not start has no process.
      vscode.tasks.onDidEndTask((event) => {
        if (isOurs(event)) resolve(undefined);
      }),
    );
  });
  try {
    const [code] = await Promise.all([ended, vscode.tasks.executeTask(task)]);
    return code === 0;
  } finally {
    for (const subscription of subscriptions) subscription.dispose();
  }
}

async function defaultBuild(): Promise<vscode.Task | undefined> {
  const tasks = await vscode.tasks.fetchTasks();
  return tasks.find(
    ({ group }) => group?.id === vscode.TaskGroup.Build.id && group.isDefault === true,
  );
}

async function projectBuild(source: string): Promise<vscode.Task> {
  const { folder, isHardhat } = await projectOf(source);
  return new vscode.Task(
    { type: 'shell' },
    vscode.TaskScope.Workspace,
    l10n.t('Build contracts'),
    'Forklens',
    new vscode.ShellExecution(isHardhat ? 'npx hardhat compile' : 'forge build', { cwd: folder }),
  );
}

/** The innermost folder above a source that has the configuration of Foundry or Hardhat; without one, the folder of the source. */
async function projectOf(source: string): Promise<{ folder: string; isHardhat: boolean }> {
  for (let folder = path.dirname(source); ; folder = path.dirname(folder)) {
    const names = await readdir(folder).catch((): string[] => []);
    if (names.includes('foundry.toml')) return { folder, isHardhat: false };
    if (names.some((name) => /^hardhat\.config\.[cm]?[jt]s$/.test(name))) {
      return { folder, isHardhat: true };
    }
    if (folder === path.dirname(folder)) return { folder: path.dirname(source), isHardhat: false };
  }
}
