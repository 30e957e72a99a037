import type { Network } from '../../analysis/ports';
import type { KnownSource, Recompiled, SourceFinder } from '../../contracts/sources/code-sources';
import type { ExecutedCode } from '../../contracts/sources/program-source';
import type { Compilation } from '../../contracts/sources/compilation';
import { CompiledContract } from '../../contracts/sources/compiled-contract';
import type { SourceOrigin } from '../../api/contract-source';
import { openInput } from './compiler-inputs';
import type { Known, KnownSourceRecord } from './known-schema';
import { codeOf, placeOf } from './lookups';

/** Origins of sources that are found by the code alone, at whichever address it is. */
const BY_CODE: ReadonlySet<SourceOrigin> = new Set<SourceOrigin>(['workspace', 'sandbox']);

/** Sources of code from a case file. */
export class KeptSources implements SourceFinder {
  readonly #opened = new Map<number, Promise<CompiledContract>>();
  readonly #byCode = new Map<string, KnownSourceRecord>();

  constructor(
    private readonly known: Pick<Known, 'sources' | 'compilations' | 'texts' | 'trees'>,
    /** Names the case, for what is cached by the identity of a source. */
    private readonly id: string,
  ) {
    for (const [place, record] of Object.entries(known.sources)) {
      const origin = known.compilations[record.compilation]?.origin;
      if (origin !== undefined && BY_CODE.has(origin)) this.#byCode.set(codeOf(place), record);
    }
  }

  async find(
    _: Network,
    { address, code, isCreation }: ExecutedCode,
  ): Promise<KnownSource | undefined> {
    const place = placeOf(address, isCreation ? 'c' : 'd', code);
    const record = this.known.sources[place] ?? this.#byCode.get(codeOf(place));
    if (!record) return undefined;
    const source = await this.#sourceOf(record);
    const { recompiled } = record;
    return source && recompiled
      ? { ...source, recompiled: () => this.#recompiledOf(recompiled) }
      : source;
  }

  async #sourceOf({
    compilation: index,
    match,
  }: Pick<KnownSourceRecord, 'compilation' | 'match'>): Promise<KnownSource | undefined> {
    const compilation = this.known.compilations[index];
    if (!compilation) return undefined;
    const opening = this.#opened.get(index) ?? CompiledContract.open(this.#compilation(index));
    this.#opened.set(index, opening);
    return { contract: await opening, match, identity: `${this.id} ${index}` };
  }

  async #recompiledOf(
    recompiled: NonNullable<KnownSourceRecord['recompiled']>,
  ): Promise<Recompiled> {
    const unknown = { reason: 'the case file does not contain its output', isRunning: false };
    if ('reason' in recompiled) return { ...unknown, reason: recompiled.reason };
    return (await this.#sourceOf(recompiled)) ?? unknown;
  }

  /** Without an artifact, so that no file of this machine is read. */
  #compilation(index: number): Compilation {
    const { texts, trees: allTrees, compilations } = this.known;
    const compilation = compilations[index];
    if (!compilation) throw new Error('the caller has looked');
    const { trees, files, input, ...facts } = compilation;
    const { deployed, creation } = facts;
    return {
      ...facts,
      deployed,
      creation,
      files: files.map(({ name, id, text }) => ({
        name,
        id,
        content: text === undefined ? undefined : texts[text],
      })),
      ...(input && { input: () => Promise.resolve(openInput(input, texts)) }),
      ...(trees && {
        ast: () => Promise.resolve(new Map(trees.map(([id, tree]) => [id, allTrees[tree]]))),
      }),
    };
  }
}
