import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';

/**
 * Lists the tests of the workspace's Foundry projects in the Test Explorer, in trusted workspaces: what does it is loaded where there is a
 * project, also one that is created later.
 */
export function registerFoundryTests(client: ApiClient, log: Log): vscode.Disposable {
  let tests: { dispose(): unknown } | undefined;
  let starts = 0;
  const start = async (): Promise<void> => {
    const own = ++starts;
    const found = await vscode.workspace.findFiles(
      '**/foundry.toml',
      '**/{node_modules,lib}/**',
      20,
    );
    if (!vscode.workspace.isTrusted) return;
    const { FoundryTests } =
      found.length > 0 ? await import('./foundry-tests') : { FoundryTests: undefined };
    if (own !== starts) return;
    tests?.dispose();
    tests = FoundryTests && new FoundryTests(client, log, found);
  };
  const startAgain = (): void => void start();
  const watcher = vscode.workspace.createFileSystemWatcher('**/foundry.toml', false, true);
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
