import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { instructionsName, instructionsText } from './instruction-text';
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
  /** By name and text. Of the codes that share a file, it belongs to one that has lines. */
  readonly #canonical = new Map<
    string,
    { file: RecordedFile; source: Promise<DebugProtocol.Source> }
  >();
  readonly #byPath = new Map<string, RecordedFile>();
  /** Of the instructions of codes, by index of the code. */
  readonly #instructions = new Map<number, DebugProtocol.Source>();
  /** Files, and codes whose instructions are a source. `sourceReference` is the index, plus 1. */
  readonly #references: (RecordedFile | { contract: number })[] = [];

  constructor(
    private readonly recorded: RecordedTransaction,
    private readonly locate: Locate | undefined,
  ) {}

  /** Forgets where files are: more became known of the sources. References stay. */
  forget(): void {
    this.#sources.clear();
    this.#instructions.clear();
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

  /** The instructions of a code, for a frame that has no line. */
  ofInstructions(contract: number): DebugProtocol.Source {
    const known = this.#instructions.get(contract);
    if (known !== undefined) return known;
    const name = instructionsName(this.recorded, contract);
    const source = { name, path: name, sourceReference: this.#references.push({ contract }) };
    this.#instructions.set(contract, source);
    return source;
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
    const isReference = sourceReference > 0;
    if (!isReference && given === undefined) return undefined;
    const key = pathKey(given ?? '');
    const find = (): RecordedFile | undefined =>
      isReference ? this.#fileOf(sourceReference) : this.#byPath.get(key);
    const known = find();
    // Another code may have the file with its lines.
    const isWhole = known ? this.#hasLines(known) : isReference;
    if (!isWhole) await this.#learn(path.basename(known?.file ?? key));
    return find();
  }

  #hasLines({ contract }: RecordedFile): boolean {
    return this.recorded.recording.contracts[contract]?.hasLines === true;
  }

  /** The answer to a request for a source; undefined for a reference that none has. */
  async textOf(sourceReference: number): Promise<DebugProtocol.SourceResponse['body'] | undefined> {
    const file = this.#fileOf(sourceReference);
    if (file !== undefined) {
      const { content } = await this.recorded.file(file.contract, file.file);
      return { content, mimeType: 'text/x-solidity' };
    }
    const code = this.#references[sourceReference - 1];
    if (code === undefined) return undefined;
    const content = await instructionsText(this.recorded, code.contract);
    return { content, mimeType: 'text/plain' };
  }

  #fileOf(sourceReference: number): RecordedFile | undefined {
    const found = this.#references[sourceReference - 1];
    return found && 'file' in found ? found : undefined;
  }

  async #make({ contract, file }: RecordedFile): Promise<DebugProtocol.Source> {
    const { content, path: onDisk } = await this.recorded.file(contract, file);
    const key = JSON.stringify([file, content]);
    const known = this.#canonical.get(key);
    if (known !== undefined) {
      if (!this.#hasLines(known.file)) known.file.contract = contract;
      return known.source;
    }
    const own = { contract, file };
    const source = this.#place(own, content, onDisk);
    this.#canonical.set(key, { file: own, source });
    source.catch(() => this.#canonical.delete(key));
    return source;
  }

  async #place(
    file: RecordedFile,
    content: string,
    onDisk: string | undefined,
  ): Promise<DebugProtocol.Source> {
    const where = onDisk ?? (await this.locate?.(this.recorded, { ...file, content }));
    const name = path.posix.basename(file.file);
    if (where !== undefined) {
      this.#byPath.set(pathKey(where), file);
      return { name, path: where };
    }
    const origin = this.recorded.recording.contracts[file.contract]?.origin;
    const sourceReference = this.#references.push(file);
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
