import type { Address, Hex } from '../api/primitives';
import type { Identification, MinedTransaction, Network, TransactionTrace } from './ports';

export type ProofProgress =
  | { readonly state: 'running' }
  /** @property at milliseconds since 1970 */
  | { readonly state: 'failed'; readonly reason: string; readonly at: number };

/** A transaction with its trace. For a simulation, block and receipt are the ones it would get. */
export interface ExecutedTransaction {
  readonly mined: MinedTransaction;
  readonly trace: TransactionTrace;
  /** State of the proof of a replay, while the replay is unproved. */
  readonly proving?: ProofProgress;
  /** The transaction was not sent: no receipt exists to compare it with. */
  readonly isSimulated?: true;
  /** Code that a simulation set in place of the chain's code. */
  readonly overriddenCode?: ReadonlyMap<Address, Hex>;
}

/** A traced transaction with its network and identified contracts: the input of all views. */
export interface LocatedExecution {
  readonly network: Network;
  readonly executed: ExecutedTransaction;
  readonly known: Identification;
  /** Labels of the requesting user. */
  readonly userLabels: Readonly<Record<Address, string>>;
}

/** Receipts before Byzantium have no status; the trace contains it. */
export function succeeded({ mined, trace }: ExecutedTransaction): boolean {
  const { status } = mined.receipt;
  return status === undefined ? trace.root.error === undefined : BigInt(status) === 1n;
}
