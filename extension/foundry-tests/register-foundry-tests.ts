import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';

const PROJECTS = '**/foundry.toml';
/** Of libraries. */
const OTHERS = '**/{node_modules,lib}/**';
const MOST_PROJECTS = 20;

/** Lists the tests of the workspace's Foundry projects in the Test Explorer: what does it is loaded where there is a project, in trusted workspaces. */
export function registerFoundryTests(client: ApiClient, log: Log): vscode.Disposable {
  let tests: vscode.Disposable | undefined;
  let isEnded = false;
  const start = async (): Promise<void> => {
    if (!vscode.workspace.isTrusted || tests) return;
    const found = await vscode.workspace.findFiles(PROJECTS, OTHERS, MOST_PROJECTS);
    if (found.length === 0) return;
    const { FoundryTests } = await import('./foundry-tests');
    if (isEnded || tests) return;
    tests = new FoundryTests(client, log, found);
  };
  const begin = (): void => {
    start().catch((error: unknown) => {
      log.error(`tests of Foundry: ${String(error)}`);
    });
  };
  const watcher = vscode.workspace.createFileSystemWatcher(PROJECTS, false, true, true);
  watcher.onDidCreate(begin);
  begin();
  return vscode.Disposable.from(watcher, vscode.workspace.onDidGrantWorkspaceTrust(begin), {
    dispose: () => {
      isEnded = true;
      tests?.dispose();
    },
  });
}
