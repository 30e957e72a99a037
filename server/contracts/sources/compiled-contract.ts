import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { id } from 'ethers';
import { inSlices, type Work } from '../../kernel/async/slices';
import type { Compilation, CompiledFile, MappedCode } from './compilation';
import { SourceMap } from './source-map';
import { SourceText } from './source-text';

/** Number of levels above an artifact that are searched for its project's folder. */
const MAX_LEVELS = 8;
const NO_CODE: MappedCode = { object: '' };

/** A file with its text. */
export interface ReadFile {
  readonly file: CompiledFile;
  /** The compiled text; undefined if it is unknown. */
  readonly text: SourceText | undefined;
  /** Whether the project's file is no longer what was compiled. */
  readonly isChanged: boolean;
}

/** A compilation with the texts that its maps refer to. Those of a project are short-lived, since its files may change. */
export class CompiledContract {
  readonly deployed: SourceMap | undefined;
  readonly creation: SourceMap | undefined;
  /** Texts by their id in the maps. */
  readonly texts: ReadonlyMap<number, SourceText>;
  readonly #byId: ReadonlyMap<number, ReadFile>;
  #fingerprint: string | undefined;

  private constructor(
    readonly compilation: Compilation,
    maps: Maps,
    read: readonly ReadFile[],
  ) {
    this.#byId = new Map(
      read.flatMap((one) => (one.file.id === undefined ? [] : [[one.file.id, one]])),
    );
    this.texts = new Map(
      [...this.#byId].flatMap(([fileId, { text }]) => (text ? [[fileId, text]] : [])),
    );
    this.deployed = maps.deployed;
    this.creation = maps.creation;
  }

  /** A map that does not fit its code and files is ignored. */
  static async open(compilation: Compilation): Promise<CompiledContract> {
    const maps = await inSlices(mapsWork(compilation));
    const used = await inSlices(usedFilesWork(maps));
    // Generated code has an id, but no file.
    const files = compilation.files.filter((file) => file.id !== undefined && used.has(file.id));
    const read = await readAll(compilation, files);
    const contract = new CompiledContract(compilation, {}, read);
    const fitting = await inSlices(fittingWork(maps, contract.texts));
    return new CompiledContract(compilation, fitting, read);
  }

  /** The same for contracts that were opened from the same compilation. */
  get fingerprint(): string {
    if (this.#fingerprint !== undefined) return this.#fingerprint;
    const { origin, contractName, compilerVersion, ast } = this.compilation;
    const hash = createHash('sha256');
    hash.update([origin, contractName, compilerVersion, !ast].join('\n'));
    for (const { object, sourceMap = '' } of [
      this.compilation.deployed ?? NO_CODE,
      this.compilation.creation ?? NO_CODE,
    ]) {
      hash.update(`\n${object}\n${sourceMap}`);
    }
    for (const [file, text] of this.texts) {
      hash.update(`\n${file} ${text.file}\n${text.content}`);
    }
    this.#fingerprint = hash.digest('hex');
    return this.#fingerprint;
  }

  /** Whether a map is ignored, since it is not of its code and files. */
  hasUnfitMap(isCreation: boolean): boolean {
    const { deployed, creation, language } = this.compilation;
    const [given, map] = isCreation ? [creation, this.creation] : [deployed, this.deployed];
    return given?.sourceMap !== undefined && map === undefined && language !== 'Vyper';
  }

  /** The compiled text of a file; undefined for generated code, and if it is unknown. */
  text(file: number): SourceText | undefined {
    return this.texts.get(file);
  }

  /** Name of the project's file if it is no longer what was compiled. */
  changed(file: number): string | undefined {
    const read = this.#byId.get(file);
    return read?.isChanged ? read.file.name : undefined;
  }

  /** Every file of the compilation with its text, those without code as well. */
  files(): Promise<ReadFile[]> {
    return readAll(this.compilation, this.compilation.files);
  }
}

interface Maps {
  readonly deployed?: SourceMap | undefined;
  readonly creation?: SourceMap | undefined;
}

const mapsWork = function* (compilation: Compilation): Work<Maps> {
  return {
    deployed: yield* mapWork(compilation, 'deployed'),
    creation: yield* mapWork(compilation, 'creation'),
  };
};

function* usedFilesWork({ deployed, creation }: Maps): Work<ReadonlySet<number>> {
  const used = new Set<number>();
  for (const map of [deployed, creation]) {
    for (const file of map ? yield* map.filesWork() : []) used.add(file);
  }
  return used;
}

function* fittingWork(
  { deployed, creation }: Maps,
  texts: ReadonlyMap<number, SourceText>,
): Work<Maps> {
  const bytesOf = (file: number): number | undefined => texts.get(file)?.byteLength;
  const fits = function* (map: SourceMap | undefined): Work<SourceMap | undefined> {
    return map && (yield* map.fitsWork(bytesOf)) ? map : undefined;
  };
  return { deployed: yield* fits(deployed), creation: yield* fits(creation) };
}

/** Maps of Vyper have the form of Solidity's, but an entry for each byte of the code, or for each item of the assembly, instead of each instruction. */
function* mapWork(compilation: Compilation, part: keyof Maps): Work<SourceMap | undefined> {
  const code = compilation[part];
  if (code?.sourceMap === undefined || compilation.language === 'Vyper') return undefined;
  return yield* SourceMap.work(code.sourceMap, code.object);
}

const readAll = ({ artifact }: Compilation, files: readonly CompiledFile[]): Promise<ReadFile[]> =>
  Promise.all(files.map((file) => readSource(artifact, file)));

async function readSource(artifact: string | undefined, file: CompiledFile): Promise<ReadFile> {
  const { name, path: inProject = name, content, keccak256 } = file;
  const onDisk = artifact === undefined ? undefined : await readFromProject(artifact, inProject);
  const compiled =
    content ?? (onDisk !== undefined && id(onDisk.text) === keccak256 ? onDisk.text : undefined);
  const path = onDisk?.text === compiled ? onDisk?.path : undefined;
  return {
    file,
    text: compiled === undefined ? undefined : new SourceText(name, compiled, path),
    isChanged: onDisk !== undefined && onDisk.text !== compiled,
  };
}

/** The file's current text, from the nearest folder above the artifact that contains it, or from that folder's packages. */
async function readFromProject(
  artifact: string,
  name: string,
): Promise<{ path: string; text: string } | undefined> {
  let folder = dirname(artifact);
  for (let level = 0; level < MAX_LEVELS; level++) {
    folder = dirname(folder);
    for (const path of [join(folder, name), join(folder, 'node_modules', name)]) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text !== undefined) return { path, text };
    }
  }
  return undefined;
}

/** Whether a file has a text now. */
export const hasText = async (path: string, text: string): Promise<boolean> =>
  (await readFile(path, 'utf8').catch(() => undefined)) === text;
