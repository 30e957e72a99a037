import type { StorageLayout } from '../../analysis/storage-layout';
import type { Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import type { SourceOrigin } from '../../api/contract-source';
import type { ImmutableReferences } from './compilation';
import type { NamedImmutable } from './immutables';
import type { SourceMap } from './source-map';
import type { SourceText } from './source-text';

/** The code of a call frame. */
export interface ExecutedCode {
  /** The account whose code it is: of a delegate call, the callee. */
  readonly address: Address;
  /** Deployed code; of a creation, init code with the constructor's arguments. */
  readonly code: Hex;
  readonly isCreation: boolean;
}

/** The source of executed code with its map, as a compiler wrote them. Satisfies `Program` of the debugger. */
export interface ContractProgram {
  readonly map: SourceMap;
  /** Texts by their id in the source map. */
  readonly files: ReadonlyMap<number, SourceText>;
  /** @returns undefined for generated code, and if the text is unknown */
  text(file: number): SourceText | undefined;
  readonly contractName: string;
  /** Such as `Solidity`; empty if unknown. */
  readonly language: string;
  /** Such as `0.8.30+commit.73712a01`; empty if unknown. */
  readonly compilerVersion: string;
  /** Undefined if unknown. */
  readonly optimizer?: boolean | undefined;
  /** Undefined if unknown. */
  readonly viaIR?: boolean | undefined;
  /** Syntax trees of `solc` by source id; undefined if the compilation does not contain them. */
  readonly ast?: ReadonlyMap<number, unknown> | undefined;
  /** A clause that says why an installed compiler gave none; undefined if that is not the reason. */
  readonly whyNoTree?: string | undefined;
  readonly storageLayout?: StorageLayout | undefined;
  readonly transientStorageLayout?: StorageLayout | undefined;
  /** Ranges of deployed code by the id of the variable's declaration in the syntax tree. */
  readonly immutableReferences?: ImmutableReferences | undefined;
  /** The same with names, which need no syntax tree. Empty for creation code. */
  readonly immutables: readonly NamedImmutable[];
  readonly origin: SourceOrigin;
  /** As `ProgramSource.identityOf`. */
  readonly identity: string;
}

/** A compilation whose source map is not known, or cannot be read. */
export type UnmappedCompilation = Pick<
  ContractProgram,
  'contractName' | 'language' | 'compilerVersion' | 'origin' | 'whyNoTree'
> & {
  /** Whether it came with a source map that is not of its code and files. */
  readonly hasUnfitMap?: boolean;
  /** Those whose text is known. */
  readonly files: readonly SourceText[];
};

/** The code of an executed one without the optimizer, from the same sources. */
export interface UnoptimizedBuild {
  /** With the libraries, immutables and constructor's arguments of the executed code. */
  readonly code: Hex;
  readonly program: ContractProgram;
  /** How it was compiled, such as `without the optimizer`. */
  readonly settings: string;
}

/** A build, or a clause that says why there is none. */
export type Unoptimized =
  | UnoptimizedBuild
  | {
      readonly reason: string;
      /** Version of the compiler that has to be installed for it, without the commit. */
      readonly missing?: string;
    };

export interface ProgramSource {
  /**
   * Finds the source of code that ran: workspace, sandbox, then verified contracts.
   * @returns undefined if it is unknown, or has no source map
   * @throws only if the signal is aborted
   */
  programOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<ContractProgram | undefined>;

  /**
   * What is known of the source of code that has no program.
   * @returns undefined if its source is unknown
   * @throws only if the signal is aborted
   */
  unmappedOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<UnmappedCompilation | undefined>;

  /**
   * Changes when more or something else becomes known of the source of code; it costs less than the program.
   * @returns empty if its source is unknown; undefined while a compiler works on it
   * @throws only if the signal is aborted
   */
  identityOf(
    network: Network,
    executed: ExecutedCode,
    signal: AbortSignal,
  ): Promise<string | undefined>;

  /**
   * Builds codes without the optimizer, in their order.
   * @returns undefined for code whose source is not known, or that is such a build already
   * @throws only if the signal is aborted
   */
  unoptimizedOf?(
    network: Network,
    executed: readonly ExecutedCode[],
    signal: AbortSignal,
  ): Promise<readonly (Unoptimized | undefined)[]>;
}
