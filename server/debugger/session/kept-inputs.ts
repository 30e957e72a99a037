import { createHash } from 'node:crypto';
import type { MinedTransaction, TransactionTrace } from '../../analysis/ports';
import type { ToRecord } from './make-recording';
import type { Recorded } from './debugged-transaction';

/** Everything that a recording asks a node for: the same recording is made from it without the node. */
export interface KeptInputs {
  readonly mined: MinedTransaction;
  /** With its prestate. */
  readonly trace: TransactionTrace;
  /** Whether empty accounts are part of the state. */
  readonly hasEmpty: boolean;
  /** Hashes of the blocks that the transaction asks for, by number. */
  readonly hashes: ReadonlyMap<bigint, bigint>;
}

/** Keeps inputs of recordings between runs. */
export interface InputStore {
  /** @returns undefined where there are none, or damaged ones: those are removed */
  read(name: string): Promise<KeptInputs | undefined>;
  /** Not waited for: what cannot be written is not kept. */
  write(name: string, inputs: KeptInputs): void;
}

/** Name of a recording's file. @param key names network, transaction and block */
export const inputsName = (key: string): string => createHash('sha256').update(key).digest('hex');

/** What is kept of a recording; undefined unless it equals the receipt, and each earlier transaction was executed for its state. */
export function keptInputs(
  { located: { executed }, prestate }: ToRecord,
  { inputs, verification }: Recorded,
): KeptInputs | undefined {
  const { root, method, reportedGas, proof } = executed.trace;
  const isProved = method === 'debug' || proof?.wholePrefix === true;
  if (verification.level !== 'receipt' || !isProved) return undefined;
  return {
    mined: executed.mined,
    trace: { root, method, reportedGas, prestate, ...(proof && { proof }) },
    hasEmpty: inputs.prestate.hasEmpty ?? false,
    hashes: inputs.environment.block.hashes,
  };
}
