import type { Address, Hex } from '../api/primitives';
import type { Identification, MinedTransaction, Network, TransactionTrace } from './ports';

export type ProofProgress =
  | { readonly state: 'running' }
  /** @property at milliseconds since 1970 */
  | { readonly state: 'failed'; readonly reason: string; readonly at: number };

/** A transaction with what its execution did; of a simulated one, block and receipt are what they would be. */
export interface ExecutedTransaction {
  readonly mined: MinedTransaction;
  readonly trace: TransactionTrace;
  /** Of the proof of a replay, while there is none. */
  readonly proving?: ProofProgress;
  /** Nobody has sent it: there is no receipt that it could be compared with. */
  readonly isSimulated?: true;
  /** Code that a simulation put in place of the chain's. */
  readonly overriddenCode?: ReadonlyMap<Address, Hex>;
}

/** A traced transaction with what is known of its network and contracts: what all views are made of. */
export interface LocatedExecution {
  readonly network: Network;
  readonly executed: ExecutedTransaction;
  readonly known: Identification;
  /** Names that who asks gave to addresses. */
  readonly userLabels: Readonly<Record<Address, string>>;
}

/** Receipts before Byzantium have no status: the trace tells. */
export function succeeded({ mined, trace }: ExecutedTransaction): boolean {
  const { status } = mined.receipt;
  return status === undefined ? trace.root.error === undefined : BigInt(status) === 1n;
}
