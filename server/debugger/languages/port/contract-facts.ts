import type { ContractInterface } from '../../../analysis/contract-interface';
import type { StorageLayout } from '../../../analysis/storage-layout';
import type { Address } from '../../../api/primitives';

/** What is known of a contract that an expression names. */
export interface ContractFacts {
  readonly address: Address;
  /** Empty where unknown. */
  readonly name: string;
  /** The most trustworthy first: those of its source, and the standards'. */
  readonly interfaces: readonly ContractInterface[];
  /** Of the contract and of its implementation. */
  readonly layouts: readonly StorageLayout[];
}

/** What an expression's names may mean besides the contracts' own. */
export interface NamedContracts {
  /** Contract whose functions and variables need no name before them. */
  readonly self: Address | undefined;
  readonly named: ReadonlyMap<string, Address>;
}

/** An evaluation needs the facts of a contract. They are looked up, and the evaluation repeated. */
export class FactsNeeded extends Error {
  override readonly name = 'FactsNeeded';

  constructor(readonly address: Address) {
    super(`the contract ${address} is not looked up yet`);
  }
}
