import path from 'node:path';
import * as vscode from 'vscode';
import type { ApiClient } from '../model/api-client';
import { Emitter, type Disposable } from '../editor/emitter';
import type { Log } from '../editor/log';
import type { Service } from '../model/service';
import { buildOutput, FOREIGN_FOLDERS, PROJECT_FILES } from '../../server/client/build-output';

/** Largest number of project files that are read. */
const MAX_PROJECTS = 50;
/** A build writes its files one after the other: it has ended when it has written none for so long. */
const QUIET_MS = 500;

/**
 * Sends the local service the build output folders of the projects in this window, so that it recognizes their contracts.
 * Waits until the service runs, and reads nothing in an untrusted workspace.
 */
export class WorkspaceArtifacts {
  readonly #disposables: Disposable[];
  readonly #builds = new Emitter<undefined>();
  /** A build has ended, and the service reads what it wrote. */
  readonly onDidBuild = this.#builds.event;
  #outputs: Disposable[] = [];
  #quiet: NodeJS.Timeout | undefined;
  #sentFolders = '';

  constructor(
    private readonly client: ApiClient,
    private readonly service: Pick<Service, 'state' | 'onDidChangeState'>,
    private readonly log: Log,
  ) {
    const update = (): void => {
      this.#try(this.#update());
    };
    const watcher = vscode.workspace.createFileSystemWatcher(PROJECT_FILES);
    this.#disposables = [
      watcher,
      watcher.onDidCreate(update),
      watcher.onDidChange(update),
      vscode.workspace.onDidChangeWorkspaceFolders(update),
      vscode.workspace.onDidGrantWorkspaceTrust(update),
      service.onDidChangeState(({ kind }) => {
        if (kind === 'running') update();
        else this.#sentFolders = '';
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    for (const disposable of [...this.#disposables, ...this.#outputs]) disposable.dispose();
  }

  #try(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.log.warn(`artifacts: ${error instanceof Error ? error.message : 'unknown error'}`);
    });
  }

  async #update(): Promise<void> {
    const { state } = this.service;
    if (state.kind !== 'running' || state.ownership === 'remote') return;
    const folders = await buildOutputs();
    const sentFolders = folders.join('\n');
    if (sentFolders === '' || sentFolders === this.#sentFolders) return;
    this.#sentFolders = sentFolders;
    this.#watch(folders);
    await this.client.call('addArtifactFolders', { body: { folders } });
    this.log.info(`artifacts: ${folders.length} folders of build output`);
  }

  #watch(folders: readonly string[]): void {
    for (const output of this.#outputs) output.dispose();
    const onWritten = (): void => {
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(() => {
        this.#try(this.#sendBuild(folders));
      }, QUIET_MS);
    };
    this.#outputs = folders.flatMap((folder) => {
      const files = new vscode.RelativePattern(vscode.Uri.file(folder), '**/*.json');
      const watcher = vscode.workspace.createFileSystemWatcher(files);
      return [watcher, watcher.onDidCreate(onWritten), watcher.onDidChange(onWritten)];
    });
  }

  async #sendBuild(folders: readonly string[]): Promise<void> {
    if (this.service.state.kind !== 'running') return;
    // Makes the service read them again at once.
    await this.client.call('addArtifactFolders', { body: { folders: [...folders] } });
    this.#builds.fire(undefined);
  }
}

/** Absolute paths, sorted. The default folders of each workspace folder are always included, because checking them is cheap. */
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
