import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';

/** Lists the tests of the workspace's Foundry projects in the Test Explorer: what does it is loaded where there is a project, in trusted workspaces. */
export function registerFoundryTests(client: ApiClient, log: Log): vscode.Disposable {
  const started: { dispose(): unknown }[] = [];
  const start = async (): Promise<void> => {
    const found = await vscode.workspace.findFiles(
      '**/foundry.toml',
      '**/{node_modules,lib}/**',
      20,
    );
    if (found.length === 0 || !vscode.workspace.isTrusted) return;
    const { FoundryTests } = await import('./foundry-tests');
    started.push(new FoundryTests(client, log, found));
  };
  void start();
  started.push(vscode.workspace.onDidGrantWorkspaceTrust(() => void start()));
  return new vscode.Disposable(() => {
    for (const one of started) one.dispose();
  });
}
