import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RecordedFile, RecordedTransaction } from './recorded-transaction';

/**
 * Where a client opens a file that is not on the service's disk: a path or an address.
 * @returns undefined: the client asks for its text by the request `source`
 */
export type Locate = (
  recorded: RecordedTransaction,
  file: RecordedFile & { content: string },
) => Promise<string | undefined>;

/** The source files of a recording as the protocol names them. Files with the same name and text are one. */
export class Sources {
  readonly #sources = new Map<string, Promise<DebugProtocol.Source>>();
  /** By name and text. */
  readonly #canonical = new Map<string, Promise<DebugProtocol.Source>>();
  readonly #byPath = new Map<string, RecordedFile>();
  /** `sourceReference` is the index, plus 1. */
  readonly #references: RecordedFile[] = [];

  constructor(
    private readonly recorded: RecordedTransaction,
    private readonly locate: Locate | undefined,
  ) {}

  /** Forgets where files are: more became known of the sources. References stay. */
  forget(): void {
    this.#sources.clear();
  }

  /** Has a name only where its text cannot be had. */
  async of(contract: number, file: string): Promise<DebugProtocol.Source> {
    const key = `${contract} ${file}`;
    let source = this.#sources.get(key);
    if (source === undefined) {
      source = this.#make({ contract, file });
      this.#sources.set(key, source);
      source.catch(() => this.#sources.delete(key));
    }
    return source.catch(() => ({
      name: path.posix.basename(file),
      presentationHint: 'deemphasize',
    }));
  }

  /** All files of all codes. */
  async all(): Promise<DebugProtocol.Source[]> {
    const files = this.recorded.recording.contracts.flatMap(({ files }, contract) =>
      files.map((file) => this.of(contract, file)),
    );
    return [...new Set(await Promise.all(files))];
  }

  /** The file that a client means; undefined for one that has no part in this transaction. */
  async fileOf(source: DebugProtocol.Source): Promise<RecordedFile | undefined> {
    const { sourceReference = 0, path: given } = source;
    if (sourceReference > 0) return this.#references[sourceReference - 1];
    if (given === undefined) return undefined;
    const key = pathKey(given);
    if (!this.#byPath.has(key)) await this.#learn(path.basename(key));
    return this.#byPath.get(key);
  }

  async textOf(sourceReference: number): Promise<string | undefined> {
    const file = this.#references[sourceReference - 1];
    return file && (await this.recorded.file(file.contract, file.file)).content;
  }

  async #make({ contract, file }: RecordedFile): Promise<DebugProtocol.Source> {
    const { content, path: onDisk } = await this.recorded.file(contract, file);
    const key = JSON.stringify([file, content]);
    let source = this.#canonical.get(key);
    if (source === undefined) {
      source = this.#place({ contract, file, content }, onDisk);
      this.#canonical.set(key, source);
      source.catch(() => this.#canonical.delete(key));
    }
    return source;
  }

  async #place(
    file: RecordedFile & { content: string },
    onDisk: string | undefined,
  ): Promise<DebugProtocol.Source> {
    const where = onDisk ?? (await this.locate?.(this.recorded, file));
    const name = path.posix.basename(file.file);
    if (where !== undefined) {
      this.#byPath.set(pathKey(where), { contract: file.contract, file: file.file });
      return { name, path: where };
    }
    const origin = this.recorded.recording.contracts[file.contract]?.origin;
    const sourceReference = this.#references.push({ contract: file.contract, file: file.file });
    return { name, path: file.file, sourceReference, ...(origin && { origin }) };
  }

  /** Finds the paths of all files that have this name. */
  async #learn(name: string): Promise<void> {
    const wanted = name.toLowerCase();
    await Promise.all(
      this.recorded.recording.contracts.flatMap(({ files }, contract) =>
        files
          .filter((file) => path.posix.basename(file).toLowerCase() === wanted)
          .map((file) => this.of(contract, file)),
      ),
    );
  }
}

/** Clients escape characters of addresses differently, and Windows ignores the case of paths. */
function pathKey(given: string): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(given)) {
    try {
      return decodeURIComponent(given);
    } catch {
      return given;
    }
  }
  const normal = path.normalize(given);
  return process.platform === 'win32' ? normal.toLowerCase() : normal;
}
