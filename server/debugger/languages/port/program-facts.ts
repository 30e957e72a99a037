import type { StorageLayout } from '../../../analysis/storage-layout';
import type { NamedImmutable } from '../../../contracts/sources/immutables';
import type { Program } from '../../recording/program';

/** A program with what its compiler says of it. */
export interface ProgramFacts extends Program {
  /** Name of the contract whose code it is. */
  readonly contract: string;
  /** Compiler's name of the file that declares it; distinguishes contracts of one name. */
  readonly contractFile?: string | undefined;
  readonly isCreation: boolean;
  /** Syntax trees of the compiler (`ast`) by the id of the file; empty where unknown. */
  readonly trees: ReadonlyMap<number, unknown>;
  /** A clause that says why an installed compiler gave none. */
  readonly whyNoTree?: string | undefined;
  /** Format of the compiler's `storageLayout`. */
  readonly layout?: StorageLayout | undefined;
  readonly transientLayout?: StorageLayout | undefined;
  /** Places of immutables in the code, by the id of their declaration (`immutableReferences`). */
  readonly immutables?:
    | Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>
    | undefined;
  /** The same with names and types by the source map, for contracts without a syntax tree. */
  readonly namedImmutables?: readonly NamedImmutable[] | undefined;
  /** undefined where the settings are unknown */
  readonly compiler?:
    { readonly version: string; readonly optimizer: boolean; readonly viaIR: boolean } | undefined;
}
