import { createHash } from 'node:crypto';
import type { MinedTransaction, TransactionTrace } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { Recorded } from './debugged-transaction';
import type { ToRecord } from './make-recording';
import type { SimulatedTransaction } from './ports';
import type { StatePoint } from './state-point';

/** Everything that a recording asks a node for: the same recording is made from it without the node. */
export interface KeptInputs {
  readonly mined: MinedTransaction;
  /** With its prestate. */
  readonly trace: TransactionTrace;
  /** Whether empty accounts are part of the state. */
  readonly hasEmpty: boolean;
  /** Hashes of the blocks that the transaction asks for, by number. */
  readonly hashes: ReadonlyMap<bigint, bigint>;
  readonly simulation?: KeptSimulation | undefined;
}

/** What the recording of a simulation is made from, besides the inputs of any recording. */
export interface KeptSimulation extends SimulatedTransaction {
  /** Slug of the chain or id of the fork whose node executed it. */
  readonly network: string;
  /** Its block as the simulation saw it. */
  readonly block: RpcBlockHeader;
  readonly point: Omit<StatePoint, 'network'>;
  readonly overriddenCode: readonly (readonly [Address, Hex])[];
}

/** Keeps inputs of recordings between runs. */
export interface InputStore {
  /** @returns undefined where there are none, or damaged ones: those are removed */
  read(name: string): Promise<KeptInputs | undefined>;
  /** Not waited for: what cannot be written is not kept. */
  write(name: string, inputs: KeptInputs): void;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

/** Name of a recording's file. @param key names network, transaction and block */
export const inputsName = (key: string): string => createHash('sha256').update(key).digest('hex');

/** What is kept of a recording; undefined unless it equals the receipt, and each earlier transaction was executed for its state. */
export function keptInputs(facts: ToRecord, recorded: Recorded): KeptInputs | undefined {
  const { method, proof } = facts.located.executed.trace;
  const isProved = (method === 'debug' && proof === undefined) || proof?.wholePrefix === true;
  if (recorded.verification.level !== 'receipt' || !isProved) return undefined;
  return inputsOf(facts, recorded);
}

/** What is kept of a simulation: its recording cannot be made from a fork whose state has changed since. */
export function keptSimulation(
  simulated: SimulatedTransaction,
  facts: ToRecord,
  recorded: Recorded,
): KeptInputs {
  const { located, block, point } = facts;
  const { network, ...place } = point;
  const inputs = inputsOf(facts, recorded);
  return {
    ...inputs,
    mined: { ...inputs.mined, block: headerOf(inputs.mined.block) },
    simulation: {
      ...simulated,
      network: network.key,
      block: headerOf(block),
      point: { ...place, block: { number: point.block.number } },
      overriddenCode: [...(located.executed.overriddenCode ?? [])],
    },
  };
}

/** Without the transactions of the block. */
function headerOf(block: RpcBlockHeader): RpcBlockHeader {
  const header: RpcBlockHeader & { transactions?: unknown } = { ...block };
  delete header.transactions;
  return header;
}

function inputsOf({ located: { executed }, prestate }: ToRecord, { inputs }: Recorded): KeptInputs {
  const { root, method, reportedGas, proof } = executed.trace;
  return {
    mined: executed.mined,
    trace: { root, method, reportedGas, prestate, ...(proof && { proof }) },
    hasEmpty: inputs.prestate.hasEmpty ?? false,
    hashes: inputs.environment.block.hashes,
  };
}
