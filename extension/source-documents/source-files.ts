import * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';
import type { Address } from '../../server/api/primitives';
import type { ApiClient } from '../model/api-client';
import { entriesOf, filesByPath, readSourcePath, type SourceOwner } from './source-uri';

const KEPT = 20;

/** The source files of executed contracts, as a file system that nobody can write to, with folders as in the compilation. */
export class SourceFiles implements vscode.FileSystemProvider {
  readonly #known = new Map<string, Promise<readonly string[]>>();
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
      ctime: 0,
      mtime: 0,
      size: 0,
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
    const { owner, file } = await this.#find(uri);
    const content = file === undefined ? undefined : await unlessRefused(this.#text(owner, file));
    if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
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
    owner: SourceOwner;
    /** As compiled; undefined for a folder. */
    file: string | undefined;
    entries: Map<string, boolean> | undefined;
  }> {
    const read = readSourcePath(uri.path);
    if (read === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { owner, path } = read;
    const files = filesByPath(await unlessRefused(this.#files(owner)));
    return { owner, file: files.get(path), entries: entriesOf(files.keys(), path) };
  }

  /** Names of an owner's files, as compiled. */
  #files(owner: SourceOwner): Promise<readonly string[]> {
    const key = JSON.stringify(owner);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= KEPT) this.#known.clear();
    const asked = owner.kind === 'recording' ? this.#recorded(owner) : this.#deployed(owner);
    this.#known.set(key, asked);
    asked.catch(() => this.#known.delete(key));
    return asked;
  }

  async #recorded({ chain, transaction, contract }: Owner<'recording'>): Promise<string[]> {
    const { contracts } = await this.client.call('getRecording', {
      params: { chain, transaction },
    });
    return contracts[contract]?.files ?? [];
  }

  async #deployed(owner: Owner<'account'>): Promise<string[]> {
    const { source } = await this.client.call('getAddressSource', requestOf(owner));
    return source?.files.map(({ name }) => name) ?? [];
  }

  async #text(owner: SourceOwner, file: string): Promise<string | undefined> {
    if (owner.kind === 'account') {
      const { source } = await this.client.call('getAddressSource', requestOf(owner, file));
      return source?.files.find(({ name }) => name === file)?.content;
    }
    const { chain, transaction, contract } = owner;
    const request = { params: { chain, transaction, contract: String(contract) }, query: { file } };
    return (await this.client.call('getRecordedFile', request)).content;
  }
}

type Owner<Kind> = Extract<SourceOwner, { kind: Kind }>;

const requestOf = ({ chain, address, block }: Owner<'account'>, file?: string) => ({
  params: { chain, address: address as Address },
  query: { block: String(block), ...(file !== undefined && { file }) },
});

/** The editor shows the message in place of the file. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ApiError ? vscode.FileSystemError.Unavailable(error.message) : error;
  }
}
