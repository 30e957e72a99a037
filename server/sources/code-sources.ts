import type { Network } from '../analysis/ports';
import type { StorageLayout } from '../analysis/storage-layout';
import type { LayoutSource } from '../analysis/state/storage-layouts';
import type { CompiledContract } from './compiled-contract';
import { namedImmutables } from './immutables';
import type {
  ContractProgram,
  ExecutedCode,
  ProgramSource,
  UnmappedCompilation,
} from './program-source';
import type { ContractSource } from '../api/contract-source';

/** The source of code, and how it was matched to the code. */
export interface KnownSource {
  readonly contract: CompiledContract;
  readonly match: ContractSource['match'];
}

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
}

export interface CodeSourcesOptions {
  /** The most trustworthy first. */
  finders: readonly SourceFinder[];
  /** Whether a network is private: no service receives data about it. */
  isPrivate: (network: Network) => boolean;
}

/** Sources of executed code, from all who know some. */
export class CodeSources implements ProgramSource, LayoutSource {
  constructor(private readonly options: CodeSourcesOptions) {}

  /** The first source that is found. Rejects only if the signal is aborted. */
  async sourceOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<KnownSource | undefined> {
    const isPrivate = this.options.isPrivate(network);
    for (const finder of this.options.finders) {
      if (isPrivate && finder.remote) continue;
      const found = await finder.find(network, executed, signal);
      if (found) return found;
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
    return source && toProgram(source, executed);
  }

  async unmappedOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<UnmappedCompilation | undefined> {
    const source = await this.sourceOf(network, executed, signal);
    if (!source) return undefined;
    const { contractName, language, compilerVersion, origin } = source.contract.compilation;
    const files = (await source.contract.files()).flatMap(({ text }) => text ?? []);
    return { contractName, language, compilerVersion, origin, files };
  }
}

async function toProgram(
  { contract }: KnownSource,
  { isCreation }: ExecutedCode,
): Promise<ContractProgram | undefined> {
  const { compilation, texts } = contract;
  const map = isCreation ? contract.creation : contract.deployed;
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
    storageLayout: compilation.storageLayout,
    transientStorageLayout: compilation.transientStorageLayout,
    immutableReferences: compilation.immutableReferences,
    immutables: isCreation ? [] : namedImmutables(contract),
    origin: compilation.origin,
  };
}
