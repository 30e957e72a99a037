import type { AbiItem } from '../../server/api/abi';

/** A contract of a fork whose functions can be called from the tree. */
export interface ForkContract {
  /** Lower case. */
  address: string;
  name: string;
  /** Why it is listed: the user deployed or added it, or its code is that of a contract of the workspace. */
  origin: 'deployed' | 'added' | 'recognised';
  abi: readonly AbiItem[];
  /** Hash of the transaction that created it; undefined where unknown. */
  transaction?: string | undefined;
}

/** A function of such a contract. */
export interface ContractFunction {
  /** Canonical: `balanceOf(address)`. */
  signature: string;
  /** With the parameters' names: `balanceOf(address account)`. */
  text: string;
  /** It changes nothing: it is called, not sent. */
  isView: boolean;
  hasInputs: boolean;
  /** The last answer, or why there is none. */
  answer: FunctionAnswer | undefined;
}

export interface FunctionAnswer {
  text: string;
  isFailure: boolean;
}
