import type { AccountName } from './accounts';

/** One transaction of the sandbox, before it has a nonce and a signature. */
export interface Step {
  from: AccountName;
  /** Absent: a creation. */
  to?: string;
  data?: string;
  /** wei */
  value?: bigint;
  gasLimit?: number;
  /** EIP-2718 type; 2 unless said. */
  type?: 0 | 1 | 2 | 4;
  /** Type 4: contract whose code the sender takes on (EIP-7702). */
  delegateTo?: string;
}

/** A step that is there to be looked at. */
export interface StoryStep extends Step {
  /** kebab-case, stable: goldens and documentation refer to it. */
  id: string;
  title: string;
  /** What the transaction shows, in a sentence. */
  shows: string;
  /** The transaction is meant to fail. */
  fails?: true;
}
