import * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';
import type { Recording } from '../../server/api/recording';
import type { ApiClient } from '../model/api-client';
import { entriesOf, filesByPath, readSourcePath, type RecordingKey } from './source-uri';

const KEPT = 20;

/** The source files of debugged contracts, as a file system that nobody can write to, with folders as in the compilation. */
export class SourceFiles implements vscode.FileSystemProvider {
  readonly #recordings = new Map<string, Promise<Recording>>();
  /** Nothing ever changes. */
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(private readonly client: ApiClient) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { file, entries } = await this.#find(uri);
    if (file === undefined && entries === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return {
      type: file === undefined ? vscode.FileType.Directory : vscode.FileType.File,
      ...{ ctime: 0, mtime: 0, size: 0 },
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { entries } = await this.#find(uri);
    if (entries === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return [...entries].map(([name, isFolder]) => [
      name,
      isFolder ? vscode.FileType.Directory : vscode.FileType.File,
    ]);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { key, contract, file } = await this.#find(uri);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const request = { params: { ...key, contract: String(contract) }, query: { file } };
    const { content } = await unlessRefused(this.client.call('getRecordedFile', request));
    return new TextEncoder().encode(content);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  async #find(uri: vscode.Uri): Promise<{
    key: RecordingKey;
    contract: number;
    file: string | undefined;
    entries: Map<string, boolean> | undefined;
  }> {
    const read = readSourcePath(uri.path);
    if (read === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { recording: key, contract, path } = read;
    const { contracts } = await unlessRefused(this.#recording(key));
    const files = filesByPath(contracts[contract]?.files ?? []);
    const file = files.get(path);
    return { key, contract, file, entries: entriesOf(files.keys(), path) };
  }

  #recording({ chain, transaction }: RecordingKey): Promise<Recording> {
    const key = `${chain} ${transaction}`;
    const known = this.#recordings.get(key);
    if (known !== undefined) return known;
    if (this.#recordings.size >= KEPT) this.#recordings.clear();
    const asked = this.client.call('getRecording', { params: { chain, transaction } });
    this.#recordings.set(key, asked);
    asked.catch(() => this.#recordings.delete(key));
    return asked;
  }
}

/** The editor shows the message in place of the file. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ApiError ? vscode.FileSystemError.Unavailable(error.message) : error;
  }
}
