import type { Network } from '../../analysis/ports';
import type { StorageLayout } from '../../analysis/storage-layout';
import type { LayoutSource } from '../../analysis/state/storage-layouts';
import type { CompiledContract } from './compiled-contract';
import { namedImmutables } from './immutables';
import type { SourceMap } from './source-map';
import type {
  ContractProgram,
  ExecutedCode,
  ProgramSource,
  UnmappedCompilation,
  Unoptimized,
} from './program-source';
import type { ContractSource } from '../../api/contract-source';

/** The source of code, and how it was matched to the code. */
export interface KnownSource {
  readonly contract: CompiledContract;
  readonly match: ContractSource['match'];
  /** Another one for another source of the code. */
  readonly identity: string;
  /** The same by a compiler of this machine, for sources without syntax trees. */
  readonly recompiled?: ((patienceMs: number) => Promise<Recompiled>) | undefined;
}

/** A source that a compiler of this machine made of the texts, or a clause that says why there is none. */
export type Recompiled =
  | KnownSource
  | {
      readonly reason: string;
      /** Whether the compiler works on it at this time. */
      readonly isRunning: boolean;
    };

/** Time that an answer waits for a compiler, in milliseconds. */
const COMPILER_PATIENCE_MS = 3_000;

/** Who knows sources of code. */
export interface SourceFinder {
  /** It sends requests to a service, so it is not used for private networks. */
  readonly remote?: boolean;
  /** Rejects only if the signal is aborted. */
  find(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<KnownSource | undefined>;
  /**
   * The identity of what `find` gives, at less cost; empty if that is nothing. Without it, `find` costs little.
   */
  identityOf?(network: Network, executed: ExecutedCode): Promise<string>;
}

export interface CodeSourcesOptions {
  /** The most trustworthy first. */
  finders: readonly SourceFinder[];
  /** Whether a network is private: no service receives data about it. */
  isPrivate: (network: Network) => boolean;
  /** Builds sources without the optimizer. Undefined: nothing does. */
  unoptimized?: UnoptimizedBuilder | undefined;
}

export interface UnoptimizedBuilder {
  /** As `ProgramSource.unoptimizedOf`. Rejects only if the signal is aborted. */
  build(
    wanted: readonly {
      readonly source: KnownSource | undefined;
      readonly executed: ExecutedCode;
    }[],
    signal: AbortSignal,
  ): Promise<readonly (Unoptimized | undefined)[]>;
}

/** Sources of executed code, from all who know some. */
export class CodeSources implements ProgramSource, LayoutSource {
  constructor(private readonly options: CodeSourcesOptions) {}

  /**
   * The first source that is found; what a compiler of this machine made of it, where it has no source map itself. Rejects only if the signal
   * is aborted.
   */
  async sourceOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<KnownSource | undefined> {
    for (const finder of this.#findersFor(network)) {
      const found = await finder.find(network, executed, signal);
      if (!found) continue;
      return executedMap(found, executed) ? found : sourceIn(found, await found.recompiled?.(0));
    }
    return undefined;
  }

  async layoutOf(
    network: Network,
    { address, code }: Pick<ExecutedCode, 'address' | 'code'>,
    signal: AbortSignal,
  ): Promise<StorageLayout | undefined> {
    const source = await this.sourceOf(network, { address, code, isCreation: false }, signal);
    return source?.contract.compilation.storageLayout;
  }

  async programOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<ContractProgram | undefined> {
    const source = await this.sourceOf(network, executed, signal);
    if (!source) return undefined;
    const recompiled = await source.recompiled?.(COMPILER_PATIENCE_MS);
    signal.throwIfAborted();
    return toProgram(source, recompiled, executed);
  }

  async unmappedOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<UnmappedCompilation | undefined> {
    const source = await this.sourceOf(network, executed, signal);
    if (!source) return undefined;
    const recompiled = await source.recompiled?.(0);
    const { contractName, language, compilerVersion, origin } = source.contract.compilation;
    const files = (await source.contract.files()).flatMap(({ text }) => text ?? []);
    return {
      contractName,
      language,
      compilerVersion,
      origin,
      files,
      whyNoTree: reasonOf(recompiled),
      hasUnfitMap: source.contract.hasUnfitMap(executed.isCreation),
    };
  }

  async identityOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (const finder of this.#findersFor(network)) {
      if (finder.identityOf) {
        const identity = await finder.identityOf(network, executed);
        if (identity !== '') return `${identity} `;
        continue;
      }
      const source = await finder.find(network, executed, signal);
      if (!source) continue;
      const recompiled = await source.recompiled?.(0);
      const isRunning = recompiled && 'reason' in recompiled && recompiled.isRunning;
      return isRunning ? undefined : identityOf(source, recompiled);
    }
    return '';
  }

  async unoptimizedOf(
    network: Network,
    executed: readonly ExecutedCode[],
    signal: AbortSignal,
  ): Promise<readonly (Unoptimized | undefined)[]> {
    const { unoptimized } = this.options;
    if (!unoptimized) return executed.map(() => undefined);
    const wanted = await Promise.all(
      executed.map(async (one) => ({
        executed: one,
        source: await this.sourceOf(network, one, signal),
      })),
    );
    return unoptimized.build(wanted, signal);
  }

  #findersFor(network: Network): readonly SourceFinder[] {
    const { finders, isPrivate } = this.options;
    return isPrivate(network) ? finders.filter(({ remote }) => !remote) : finders;
  }
}

/** Why a compiler of this machine made nothing; undefined if it did, or was not asked. */
export const reasonOf = (recompiled: Recompiled | undefined): string | undefined =>
  recompiled && 'reason' in recompiled ? recompiled.reason : undefined;

/** The source map of the code. */
export const executedMap = (
  { contract }: KnownSource,
  { isCreation }: Pick<ExecutedCode, 'isCreation'>,
): SourceMap | undefined => (isCreation ? contract.creation : contract.deployed);

const sourceIn = (source: KnownSource, recompiled: Recompiled | undefined): KnownSource =>
  recompiled && 'contract' in recompiled ? recompiled : source;

const identityOf = (source: KnownSource, recompiled: Recompiled | undefined): string =>
  `${sourceIn(source, recompiled).identity} ${reasonOf(recompiled) ?? ''}`;

/** A source as the debugger reads it; undefined without a source map. */
export async function toProgram(
  source: KnownSource,
  recompiled: Recompiled | undefined,
  executed: ExecutedCode,
): Promise<ContractProgram | undefined> {
  const known = sourceIn(source, recompiled);
  const { contract } = known;
  const { compilation, texts } = contract;
  const map = executedMap(known, executed);
  if (!map) return undefined;
  const { optimizer, viaIR } = compilation.settings;
  return {
    map,
    files: texts,
    text: (file) => texts.get(file),
    contractName: compilation.contractName,
    language: compilation.language,
    compilerVersion: compilation.compilerVersion,
    optimizer,
    viaIR,
    ast: await compilation.ast?.(),
    whyNoTree: reasonOf(recompiled),
    storageLayout: compilation.storageLayout,
    transientStorageLayout: compilation.transientStorageLayout,
    immutableReferences: compilation.immutableReferences,
    immutables: executed.isCreation ? [] : namedImmutables(contract),
    origin: compilation.origin,
    identity: identityOf(source, recompiled),
  };
}
