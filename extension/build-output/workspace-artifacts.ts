import path from 'node:path';
import * as vscode from 'vscode';
import type { ApiClient } from '../client/api-client';
import type { Disposable } from '../emitter';
import type { Log } from '../log';
import type { Service } from '../server-process/service';
import { buildOutput, FOREIGN_FOLDERS, PROJECT_FILES } from './output-folder';

/** More projects than that are not looked for. */
const MAX_PROJECTS = 50;

/**
 * Tells the service of this machine where the projects of this window's folders have their build output, so that it recognises
 * their contracts. Waits until the service runs, and reads nothing of a workspace that the user does not trust.
 */
export class WorkspaceArtifacts {
  readonly #disposables: Disposable[];
  #told = '';

  constructor(
    private readonly client: ApiClient,
    private readonly service: Pick<Service, 'state' | 'onDidChangeState'>,
    private readonly log: Log,
  ) {
    const tell = (): void => {
      this.#tell().catch((error: unknown) => {
        log.warn(`artifacts: ${error instanceof Error ? error.message : 'unknown error'}`);
      });
    };
    const watcher = vscode.workspace.createFileSystemWatcher(PROJECT_FILES);
    this.#disposables = [
      watcher,
      watcher.onDidCreate(tell),
      watcher.onDidChange(tell),
      vscode.workspace.onDidChangeWorkspaceFolders(tell),
      vscode.workspace.onDidGrantWorkspaceTrust(tell),
      service.onDidChangeState(({ kind }) => {
        if (kind === 'running') tell();
        else this.#told = '';
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #tell(): Promise<void> {
    const { state } = this.service;
    if (state.kind !== 'running' || state.ownership === 'remote') return;
    const folders = await buildOutputs();
    const told = folders.join('\n');
    if (told === '' || told === this.#told) return;
    this.#told = told;
    await this.client.call('addArtifactFolders', { body: { folders } });
    this.log.info(`artifacts: ${folders.length} folders of build output`);
  }
}

/** Absolute paths, sorted. A folder without a project of its own counts as one, as the usual places cost nothing to look at. */
export async function buildOutputs(): Promise<string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const roots = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => uri.scheme === 'file',
  );
  const files = await vscode.workspace.findFiles(PROJECT_FILES, FOREIGN_FOLDERS, MAX_PROJECTS);
  const outputs = await Promise.all(
    files
      .filter(({ scheme }) => scheme === 'file')
      .map(async (uri) => {
        const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
        return buildOutput(uri.fsPath, text);
      }),
  );
  const usual = roots.flatMap(({ uri }) =>
    ['out', 'artifacts'].map((name) => path.join(uri.fsPath, name)),
  );
  return [...new Set([...outputs, ...usual])].sort();
}
