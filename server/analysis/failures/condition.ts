import type { SummaryCause } from '../../api/summary';
import type { Address } from '../../api/primitives';
import type { Step } from '../call-frame';
import type { Quantity } from '../summary/quantity';
import type { Question } from './question';

/** A condition that did not hold, before its amounts are in the interface's form. */
export interface Cause extends Pick<
  SummaryCause,
  'kind' | 'nodeId' | 'deadline' | 'blockTime' | 'proof' | 'proofNodeId'
> {
  readonly contract: Address;
  readonly account?: Address;
  readonly spender?: Address;
  readonly owner?: Address;
  readonly has?: Quantity;
  readonly needs?: Quantity;
  readonly missing?: Quantity;
}

/** A condition of a failed call that a read-only call of the contract decides. */
export interface Condition {
  readonly step: Step;
  readonly question: Question;
  /** The answer by the arguments of a standard error. */
  readonly reported?: bigint | undefined;
  /** The cause, if the answer does not meet the condition. */
  readonly judge: (answer: bigint) => Omit<Cause, 'nodeId' | 'proof' | 'proofNodeId'> | undefined;
}
