import type { Network } from '../../analysis/ports';
import type { KnownSource, Recompiled, SourceFinder } from '../../contracts/sources/code-sources';
import type { CompiledContract } from '../../contracts/sources/compiled-contract';
import type { Known, KnownCompilation, KnownSourceRecord } from './known-schema';
import { keptInput } from './compiler-inputs';
import { placeOf } from './lookups';

interface Noted {
  readonly source: KnownSource;
  recompiled?: Recompiled | undefined;
}

/** How to install a compiler, with a folder of this machine. */
const INSTRUCTION = /: run npm install .*$/;

/** Takes down which sources of code were found. */
export class RecordedSources {
  readonly #noted = new Map<string, Noted>();

  finder(finder: SourceFinder, asSubject: (network: Network) => Network): SourceFinder {
    return {
      ...(finder.remote === undefined ? {} : { remote: finder.remote }),
      find: async (network, executed, signal) => {
        const source = await finder.find(asSubject(network), executed, signal);
        if (!source) return undefined;
        const place = placeOf(executed.address, executed.isCreation ? 'c' : 'd', executed.code);
        const noted = this.#noted.get(place) ?? { source };
        this.#noted.set(place, noted);
        const { recompiled } = source;
        if (!recompiled) return source;
        return {
          ...source,
          recompiled: async (patienceMs: number) =>
            (noted.recompiled = await recompiled(patienceMs)),
        };
      },
    };
  }

  async list(): Promise<Pick<Known, 'sources' | 'compilations' | 'texts' | 'trees'>> {
    const compilations = new Compilations();
    const sources: Known['sources'] = {};
    for (const [place, noted] of this.#noted) sources[place] = await recordOf(noted, compilations);
    return { sources, ...compilations.lists() };
  }
}

async function recordOf(
  { source, recompiled }: Noted,
  compilations: Compilations,
): Promise<KnownSourceRecord> {
  const matched = await matchedOf(source, compilations);
  if (!recompiled) return matched;
  return {
    ...matched,
    recompiled:
      'contract' in recompiled
        ? await matchedOf(recompiled, compilations)
        : { reason: recompiled.reason.replace(INSTRUCTION, '') },
  };
}

const matchedOf = async (
  { contract, match }: KnownSource,
  compilations: Compilations,
): Promise<Pick<KnownSourceRecord, 'compilation' | 'match'>> => ({
  compilation: await compilations.add(contract),
  match,
});

/** Compilations, with each text and each syntax tree once. */
class Compilations {
  readonly #byFingerprint = new Map<string, number>();
  readonly #compilations: KnownCompilation[] = [];
  readonly #texts = new Map<string, number>();
  readonly #trees = new Map<string, number>();

  /** @returns its index */
  async add(contract: CompiledContract): Promise<number> {
    const known = this.#byFingerprint.get(contract.fingerprint);
    if (known !== undefined) return known;
    const index = this.#compilations.length;
    this.#byFingerprint.set(contract.fingerprint, index);
    const { compilation } = contract;
    const trees = await compilation.ast?.();
    const input = await keptInput(contract, (text) => indexIn(this.#texts, text));
    this.#compilations.push({
      ...factsOf(compilation),
      files: (await contract.files()).map(({ file: { name, id }, text }) => ({
        name,
        ...(id === undefined ? {} : { id }),
        ...(text === undefined ? {} : { text: indexIn(this.#texts, text.content) }),
      })),
      ...(input && { input }),
      ...(trees && {
        trees: Array.from(trees, ([id, tree]): [number, number] => [
          id,
          indexIn(this.#trees, JSON.stringify(tree)),
        ]),
      }),
    });
    return index;
  }

  lists(): Pick<Known, 'compilations' | 'texts' | 'trees'> {
    return {
      compilations: this.#compilations,
      texts: [...this.#texts.keys()],
      trees: [...this.#trees.keys()].map((text) => JSON.parse(text) as unknown),
    };
  }
}

/** Without files, and without paths of this machine. */
function factsOf(
  compilation: CompiledContract['compilation'],
): Omit<KnownCompilation, 'files' | 'input' | 'trees'> {
  const { origin, contractName, language, compilerVersion, settings, ...others } = compilation;
  const { deployed, creation, storageLayout, transientStorageLayout, immutableReferences } = others;
  return {
    origin,
    contractName,
    language,
    compilerVersion,
    settings: settings as unknown as KnownCompilation['settings'],
    ...(deployed && { deployed: mappedOf(deployed) }),
    ...(creation && { creation: mappedOf(creation) }),
    storageLayout: storageLayout as KnownCompilation['storageLayout'],
    transientStorageLayout: transientStorageLayout as KnownCompilation['storageLayout'],
    immutableReferences: immutableReferences as KnownCompilation['immutableReferences'],
  };
}

const mappedOf = ({
  object,
  sourceMap,
}: NonNullable<CompiledContract['compilation']['deployed']>): NonNullable<
  KnownCompilation['deployed']
> => ({ object, ...(sourceMap === undefined ? {} : { sourceMap }) });

function indexIn(indices: Map<string, number>, text: string): number {
  const index = indices.get(text) ?? indices.size;
  indices.set(text, index);
  return index;
}
