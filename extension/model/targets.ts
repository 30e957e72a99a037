/** A transaction of a chain (slug) or of a fork (id). */
export interface TransactionTarget {
  chain: string;
  transaction: string;
}

/** A function of a Solidity source that can be called from outside. */
export interface FunctionTarget {
  contract: string;
  name: string;
  /** Path of the source. */
  source: string;
}

/** A contract of a Solidity source. */
export interface ContractTarget {
  contract: string;
  /** Path of the source. */
  source: string;
}
