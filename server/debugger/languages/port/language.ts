import type { Address } from '../../../api/primitives';
import type { StorageLayout } from '../../../analysis/storage-layout';
import type { ContractFacts, NamedContracts } from './contract-facts';
import type { ReadState } from './read-state';
import type { ReadName, RecordingVariables, VariableSource } from './variables';

/** A language of contracts. What else is known of a language is asked here, and nowhere else. */
export interface Language {
  /** As compilers write it (`Program.language`). */
  readonly name: string;
  /** The variables of the frames whose programs the source gives. Frames without one have those of the message and of the block. */
  variables(source: VariableSource): RecordingVariables;
  /** The names that every evaluation of an expression needs. @throws ExpressionError for what is no expression */
  namesRead(expression: string): readonly ReadName[];
  /**
   * A decoded argument as a debugger of the language writes it.
   * @param type canonical ABI type
   * @param value as decoded: plain, or JSON for arrays and tuples
   */
  argumentText(type: string, value: string): string;
  /**
   * What makes the local variables of a program known that has no syntax tree, as a clause.
   * @param compilerVersion such as `0.8.30+commit.73712a01`; empty if unknown
   * @param whyNoTree why an installed compiler gave none
   */
  howToGetTree(compilerVersion: string, whyNoTree?: string): string;
  /** An expression over the state of a chain. @throws ExpressionError for what is no expression */
  chainExpression(expression: string, given: NamedContracts): StateExpression;
  /** Reads values of the variables of a storage layout, which has the compiler's format. */
  slotValues(layout: StorageLayout): SlotValues;
}

/** An expression over the state of a chain. */
export interface StateExpression {
  /**
   * @param facts of the contracts that were looked up
   * @throws ReadNeeded, FactsNeeded for what is not known yet; ExpressionError where it means nothing
   */
  valueOn(state: ReadState, facts: ReadonlyMap<Address, ContractFacts>): StateValue;
}

export interface StateValue {
  /** As written in the language; empty where there is none. */
  readonly value: string;
  readonly type: string;
  /** Why there is none. */
  readonly unavailable?: string;
}

/**
 * The value of a variable of one word, as written in the language.
 * @param type its id in the layout
 * @param offset bytes from the right end of the slot
 * @param word of the slot
 * @returns undefined for other variables, and for a word that is not a value of the type
 */
export type SlotValues = (type: string, offset: number, word: bigint) => string | undefined;
