import type { Transaction } from 'ethers';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import type { Judged } from '../expected-changes';
import type { AnsweredBlock } from '../reference/node-answers';
import type { PlannedHardfork } from '../reference/plan';
import type { WorldState } from '../reference/state';

/** A transaction made by the chain from an event of its parent chain (OP specs, deposits). */
export interface Deposit {
  sourceHash: Hash;
  from: Address;
  to: Address | null;
  mint: bigint;
  value: bigint;
  gas: bigint;
  input: Hex;
  nonce: bigint;
}

export interface RealExecuted extends Judged {
  /** The transaction, unless it is a deposit, which has no signature. */
  signed?: Transaction;
  deposit?: Deposit;
  /** Fields of a receipt on the chain alone. */
  receiptFields?: object;
}

/** The state after the parent. Each throws StateMissing for what is not at hand, which the block does not read. */
export interface ParentReader {
  balance: (address: Address) => bigint;
  nonce: (address: Address) => number;
  code: (address: Address) => Hex;
  slot: (address: Address, slot: Hash) => Hash;
}

/** A block of a public chain, executed by the reference with the result that its header states. */
export interface RealBlock {
  slug: string;
  chainId: number;
  hardfork: PlannedHardfork;
  coinbase: Address;
  answered: Pick<AnsweredBlock, 'block' | 'hash'>;
  /** As a node answers. */
  parentHeader: Readonly<Record<string, unknown>>;
  transactions: readonly RealExecuted[];
  /** State after the block, of all accounts that it touches. */
  state: WorldState;
  parent: ParentReader;
}
