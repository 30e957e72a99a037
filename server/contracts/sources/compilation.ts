import { readFile, stat } from 'node:fs/promises';
import type * as z from 'zod';
import type { StorageLayout } from '../../analysis/storage-layout';
import type { SourceOrigin } from '../../api/contract-source';

/** Output of a compilation for one contract. */
export interface Compilation {
  readonly origin: SourceOrigin;
  readonly contractName: string;
  /** Such as `Solidity`; empty if unknown. */
  readonly language: string;
  /** Such as `0.8.30+commit.73712a01`; empty if unknown. */
  readonly compilerVersion: string;
  readonly settings: CompilerSettings;
  readonly deployed: MappedCode | undefined;
  readonly creation: MappedCode | undefined;
  readonly files: readonly CompiledFile[];
  readonly storageLayout?: StorageLayout | undefined;
  readonly transientStorageLayout?: StorageLayout | undefined;
  readonly immutableReferences?: ImmutableReferences | undefined;
  /** Path of the artifact, if the files are in the project that contains it. */
  readonly artifact?: string;
  /** What the compiler was given, of Solidity; undefined if not all of it is known. The argument has the texts of all `files`. */
  readonly input?: (texts: CompilerInput['sources']) => Promise<CompilerInput | undefined>;
  /** Syntax trees by source id. */
  readonly ast?: () => Promise<ReadonlyMap<number, unknown> | undefined>;
}

/** Standard input of a compiler of Solidity, without what it is asked for. */
export interface CompilerInput {
  /** With the commit, such as `0.8.30+commit.73712a01`. */
  readonly compilerVersion: string;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Files whose texts are known, in the form of the compiler's input. */
export const sourcesByName = (
  files: Iterable<Pick<CompiledFile, 'name' | 'content'>>,
): CompilerInput['sources'] =>
  Object.fromEntries(
    [...files].flatMap(({ name, content }) => (content === undefined ? [] : [[name, { content }]])),
  );

/** Unknown settings are omitted. */
export interface CompilerSettings {
  readonly optimizer?: boolean | undefined;
  readonly runs?: number | undefined;
  readonly viaIR?: boolean | undefined;
  readonly evmVersion?: string | undefined;
}

export interface MappedCode {
  /** Hex digits without `0x`. */
  readonly object: string;
  /** Undefined if the compiler did not write it, or for another language. */
  readonly sourceMap?: string | undefined;
}

export interface CompiledFile {
  readonly name: string;
  /** Of the file in the project's folder, if another one than the name. */
  readonly path?: string;
  /** Its id in the source maps. */
  readonly id?: number | undefined;
  /** The compiled text, if the compilation kept it. */
  readonly content?: string | undefined;
  /** Keccak-256 of the compiled text, `0x` and 64 hex digits. */
  readonly keccak256?: string;
}

/** A range of deployed code that the constructor fills in, in bytes. */
export interface ImmutableRange {
  readonly start: number;
  readonly length: number;
}
/** By the id of the variable's declaration in the syntax tree. */
export type ImmutableReferences = Readonly<Record<string, readonly ImmutableRange[]>>;

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
