import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';

const PROJECTS = '**/{foundry.toml,hardhat.config.*}';

/**
 * Lists the tests of the workspace's Foundry and Hardhat projects in the Test Explorer, in trusted workspaces: what does it is loaded
 * where there is a project, also one that is created later.
 */
export function registerProjectTests(client: ApiClient, log: Log): vscode.Disposable {
  let tests: { dispose(): unknown } | undefined;
  let starts = 0;
  const start = async (): Promise<void> => {
    const own = ++starts;
    const found = await vscode.workspace.findFiles(PROJECTS, '**/{node_modules,lib,cache}/**', 20);
    if (!vscode.workspace.isTrusted) return;
    const { openTests } =
      found.length > 0 ? await import('./tests-bundle') : { openTests: undefined };
    if (own !== starts) return;
    tests?.dispose();
    tests = openTests?.(client, log, found);
  };
  const startAgain = (): void => void start();
  const watcher = vscode.workspace.createFileSystemWatcher(PROJECTS, false, true);
  startAgain();
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(startAgain),
    watcher.onDidDelete(startAgain),
    vscode.workspace.onDidGrantWorkspaceTrust(startAgain),
    new vscode.Disposable(() => {
      starts++;
      tests?.dispose();
    }),
  );
}
