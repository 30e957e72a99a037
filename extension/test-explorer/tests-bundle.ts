import '../editor/translations';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import { ForgeProject } from '../foundry-tests/forge-project';
import { FoundryTool } from '../foundry-tests/foundry-tool';
import { registerTestLenses } from '../foundry-tests/test-lenses';
import { HardhatProject } from '../hardhat-tests/hardhat-project';
import { HardhatTool } from '../hardhat-tests/hardhat-tool';
import type { ApiClient } from '../model/api-client';
import { ProjectTests } from '../project-tests/project-tests';

/** The script that reports Hardhat's tests, beside this bundle. */
const HOOK = path.join(__dirname, 'hardhat-hook.js');

/** @param files `foundry.toml` and `hardhat.config.*` of the projects */
export function openTests(
  client: ApiClient,
  log: Log,
  files: readonly vscode.Uri[],
): vscode.Disposable {
  const isFoundry = ({ fsPath }: vscode.Uri): boolean => path.basename(fsPath) === 'foundry.toml';
  const foldersOf = (chosen: readonly vscode.Uri[]): string[] => [
    ...new Set(chosen.map(({ fsPath }) => path.dirname(fsPath))),
  ];
  const foundry = foldersOf(files.filter(isFoundry)).map((folder) => new ForgeProject(folder));
  const hardhat = foldersOf(files.filter((file) => !isFoundry(file))).map(
    (folder) => new HardhatProject(folder, HOOK),
  );
  const parts: { dispose(): unknown }[] = [];
  if (foundry.length > 0) {
    const tests = new ProjectTests(new FoundryTool(client), foundry, client, log);
    parts.push(tests, registerTestLenses(tests));
  }
  if (hardhat.length > 0) {
    parts.push(new ProjectTests(new HardhatTool(client), hardhat, client, log));
  }
  return vscode.Disposable.from(...parts);
}
