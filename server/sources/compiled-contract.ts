import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { id } from 'ethers';
import type * as z from 'zod';
import { SourceMap } from './source-map';
import { SourceText } from './source-text';

/** Number of levels above an artifact that are searched for its project's folder. */
const MAX_LEVELS = 8;

/** Output of a compilation for one contract. */
export interface Compilation {
  readonly deployed: MappedCode | undefined;
  readonly creation: MappedCode | undefined;
  /** Files by their id in the source maps. */
  readonly files: ReadonlyMap<number, CompiledFile>;
}

export interface MappedCode {
  /** Hex digits without `0x`. */
  readonly object: string;
  readonly sourceMap: string;
}

export interface CompiledFile {
  readonly name: string;
  /** The compiled text, if the compilation kept it. */
  readonly content?: string;
  /** Keccak-256 of the compiled text, `0x` and 64 hex digits. */
  readonly keccak256?: string;
}

/** A file that changed since its compilation. */
export interface ChangedSource {
  /** Its name within the compilation. */
  readonly changed: string;
}
export const isChanged = (source: SourceText | ChangedSource): source is ChangedSource =>
  'changed' in source;

/** A contract whose artifact and sources are on disk. Instances are short-lived, since files may change. */
export class CompiledContract {
  readonly deployed: SourceMap | undefined;
  readonly creation: SourceMap | undefined;
  private readonly texts = new Map<number, SourceText | ChangedSource>();

  private constructor(compilation: Compilation) {
    this.deployed = mapOf(compilation.deployed);
    this.creation = mapOf(compilation.creation);
  }

  /** Reads every source that the maps refer to. @param artifact path of the artifact's file */
  static async open(artifact: string, compilation: Compilation): Promise<CompiledContract> {
    const contract = new CompiledContract(compilation);
    const used = new Set<number>();
    for (const map of [contract.deployed, contract.creation]) {
      for (const { file } of map?.distinct() ?? []) used.add(file);
    }
    await Promise.all(
      [...used].map(async (fileId) => {
        const file = compilation.files.get(fileId); // generated code has an id, but no file
        const text = file && (await readSource(artifact, file));
        if (text) contract.texts.set(fileId, text);
      }),
    );
    return contract;
  }

  text(file: number): SourceText | ChangedSource | undefined {
    return this.texts.get(file);
  }
}

const mapOf = (code: MappedCode | undefined): SourceMap | undefined =>
  code && new SourceMap(code.sourceMap, code.object);

async function readSource(
  artifact: string,
  file: CompiledFile,
): Promise<SourceText | ChangedSource | undefined> {
  const onDisk = await readFromProject(artifact, file.name);
  if (onDisk === undefined) {
    return file.content === undefined ? undefined : new SourceText(file.name, file.content);
  }
  const same =
    file.content === undefined
      ? file.keccak256 !== undefined && id(onDisk) === file.keccak256
      : onDisk === file.content;
  return same ? new SourceText(file.name, onDisk) : { changed: file.name };
}

/** The file's current text, from the nearest folder above the artifact that contains it, or from that folder's packages. */
async function readFromProject(artifact: string, name: string): Promise<string | undefined> {
  let folder = dirname(artifact);
  for (let level = 0; level < MAX_LEVELS; level++) {
    folder = dirname(folder);
    for (const path of [join(folder, name), join(folder, 'node_modules', name)]) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** Reads and validates a JSON file; undefined if it is missing, too large or invalid. */
export async function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  maxBytes: number,
): Promise<T | undefined> {
  try {
    if ((await stat(path)).size > maxBytes) return undefined;
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
