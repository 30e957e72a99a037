import type { AccountName } from './accounts';

/** A transaction of the sandbox without nonce and signature. */
export interface Step {
  from: AccountName;
  /** Missing for a creation. */
  to?: string;
  data?: string;
  /** Wei. */
  value?: bigint;
  gasLimit?: number;
  /** EIP-2718 type; default 2. */
  type?: 0 | 1 | 2 | 4;
  /** Type 4: contract to which the sender delegates (EIP-7702). */
  delegateTo?: string;
}

/** A step that is part of the story. */
export interface StoryStep extends Step {
  /** kebab-case and stable: golden files and documentation refer to it. */
  id: string;
  title: string;
  /** What the transaction shows, in one sentence. */
  shows: string;
  /** The transaction fails on purpose. */
  fails?: true;
}
