import type { Address } from '../../api/primitives';
import type { TraceVerification, VerificationLevel } from '../../api/verification';
import type { RpcReceipt } from '../../evm/forms/types';
import { emittedLogs } from '../../evm/families/polygon/added-logs';
import { executionSteps, type CallFrame, type Log } from '../call-frame';
import type { ExecutedTransaction } from '../executed-transaction';
import type { TransactionTrace } from '../ports';

/** Logs that were not rolled back, in the order of emission. */
function survivingLogs(root: CallFrame): Log[] {
  const logs: Log[] = [];
  for (const { log, reverted } of executionSteps(root)) if (log && !reverted) logs.push(log);
  return logs;
}

/** The verification of a trace for a response. */
export function traceVerification({
  mined: { receipt },
  trace,
  proving,
}: Pick<ExecutedTransaction, 'mined' | 'trace' | 'proving'>): TraceVerification {
  const firstDifference = traceDifference(trace, receipt);
  const level = levelOf(trace, receipt);
  const reason = proving?.state === 'failed' ? proving.reason : trace.proof?.reason;
  return {
    level,
    ...(proving && { proof: proving.state }),
    ...(level === 'receipt' && reason !== undefined ? { reason } : {}),
    ...(trace.proof?.corrected === undefined ? {} : { corrected: trace.proof.corrected }),
    method: trace.method,
    executor: trace.executor ?? (trace.method === 'debug' ? 'node' : 'anvil'),
    ...(trace.warnings && trace.warnings.length > 0 ? { warnings: [...trace.warnings] } : {}),
    ...(trace.applied === undefined ? {} : { applied: trace.applied }),
    faithful: firstDifference === undefined,
    ...(firstDifference === undefined ? {} : { firstDifference }),
  };
}

/** Whether a node recorded a trace whole: one that lacks something has a reason why it is not proved. */
export const isWholeRecord = ({ method, proof }: TransactionTrace): boolean =>
  method === 'debug' && proof === undefined;

/** A node executes a transaction on its own state and skips nothing. A replay has to prove that it did the same. */
function levelOf(trace: TransactionTrace, receipt: RpcReceipt): VerificationLevel {
  if (traceDifference(trace, receipt) !== undefined) return 'none';
  const { proof } = trace;
  return isWholeRecord(trace) || (proof?.wholePrefix && proof.state === 'equal')
    ? 'state-proved'
    : 'receipt';
}

/** Whether a proof may raise the level of a trace. */
export const isProvable = (trace: TransactionTrace, receipt: RpcReceipt): boolean =>
  trace.proof?.reason === undefined && levelOf(trace, receipt) === 'receipt';

interface Comparison {
  readonly receipt: RpcReceipt;
  readonly difference: string | undefined;
}

/** Every view of a trace contains it, and a trace may have many logs. */
const comparisons = new WeakMap<TransactionTrace, Comparison>();

/** Describes the first difference of a trace from the receipt; undefined if status, gas and logs are equal. */
export function traceDifference(trace: TransactionTrace, receipt: RpcReceipt): string | undefined {
  const known = comparisons.get(trace);
  if (known?.receipt === receipt) return known.difference;
  const difference = compare(trace, receipt);
  comparisons.set(trace, { receipt, difference });
  return difference;
}

function compare(trace: TransactionTrace, receipt: RpcReceipt): string | undefined {
  const succeeded = trace.root.error === undefined;
  // Receipts before Byzantium have a state root instead of a status (EIP-658).
  if (receipt.status !== undefined && (BigInt(receipt.status) === 1n) !== succeeded) {
    return `status: the trace ${succeeded ? 'succeeds' : 'fails'}, the receipt does not`;
  }
  return gasDifference(trace.reportedGas, receipt) ?? logDifference(trace.root, receipt);
}

/** Anvil includes the gas of earlier transactions in the top frame (foundry issue 15893). */
function gasDifference(reported: number, receipt: RpcReceipt): string | undefined {
  const accepted = [receipt.gasUsed, receipt.cumulativeGasUsed].map(Number);
  if (accepted.includes(reported)) return undefined;
  return `gas used: ${reported} in the trace, ${Number(receipt.gasUsed)} in the receipt`;
}

function logDifference(root: CallFrame, receipt: RpcReceipt): string | undefined {
  const traced = emittedLogs(survivingLogs(root));
  const logs = executedLogs(emittedLogs(receipt.logs), traced, receipt.feeToken);
  if (traced.length !== logs.length) {
    return `logs: ${traced.length} in the trace, ${logs.length} in the receipt`;
  }
  const index = logs.findIndex((log, i) => !isSame(log, traced[i]));
  return index === -1 ? undefined : `log ${index} differs from the receipt's`;
}

/** Logs of the token in which the fee is paid that no call made: the chain debits and credits it. Only if trace and receipt agree. */
export function feeTokenLogs(root: CallFrame, { logs, feeToken }: RpcReceipt): readonly Log[] {
  const all = emittedLogs(logs);
  const executed = new Set(executedLogs(all, emittedLogs(survivingLogs(root)), feeToken));
  return all.filter((log) => !executed.has(log));
}

/** Without those of the token that the chain debited and credited for the fee. */
function executedLogs(
  logs: readonly Log[],
  traced: readonly Log[],
  feeToken: Address | undefined,
): readonly Log[] {
  if (feeToken === undefined) return logs;
  let next = 0;
  return logs.filter((log) => {
    if (isSame(log, traced[next])) next++;
    else if (sameHex(log.address, feeToken)) return false;
    return true;
  });
}

const isSame = (one: Log, other: Log | undefined): boolean =>
  other !== undefined &&
  sameHex(one.address, other.address) &&
  sameHex(one.data, other.data) &&
  one.topics.length === other.topics.length &&
  one.topics.every((topic, i) => sameHex(topic, other.topics[i] ?? ''));

const sameHex = (one: string, other: string): boolean =>
  one === other || one.toLowerCase() === other.toLowerCase();
