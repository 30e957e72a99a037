import { atOnce, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { Hash, Hex } from '../../api/primitives';
import { emittedLogs } from '../../evm/families/polygon/added-logs';
import type { RpcLog, RpcReceipt } from '../../evm/forms/types';

/** A transaction that the engine cannot execute: of a chain-specific type, unsigned, or with more gas than a block has. */
export interface ForeignTransaction {
  /** Index in its block. */
  index: number;
  hash: Hash;
  type: Hex;
  /** Whether its changes are in the state; false: it was left out. */
  applied: boolean;
}

/** Comparison of a replay with the original execution. */
export interface ReplayComparison {
  /** Number of applied transactions. */
  applied: number;
  /** The first difference of a receipt, in words; undefined: status, gas and logs of all are equal. */
  firstDifference?: string;
  /** What executed them, if it is not the engine. */
  executor?: 'process';
  /** Present if the block contains such transactions. */
  foreign?: ForeignTransaction[];
}

/** Compares the visible results of an execution: status, gas used, and the logs in order. */
export function compareReceipts(
  actual: readonly RpcReceipt[],
  expected: readonly RpcReceipt[],
): ReplayComparison {
  for (const [index, original] of expected.entries()) {
    const difference = receiptDifference(actual[index], original);
    if (difference === undefined) continue;
    return { applied: actual.length, firstDifference: difference };
  }
  return { applied: actual.length };
}

/** @returns the difference in words, with the transaction; undefined if status, gas and logs are equal */
export const receiptDifference = (
  actual: RpcReceipt | undefined,
  original: RpcReceipt,
): string | undefined => atOnce(receiptDifferenceWork(actual, original));

/** The same as interruptible work: a receipt may have tens of thousands of logs. */
export function* receiptDifferenceWork(
  actual: RpcReceipt | undefined,
  original: RpcReceipt,
): Work<string | undefined> {
  const difference = yield* differenceIn(actual, original);
  const { transactionIndex, transactionHash } = original;
  return (
    difference && `transaction ${Number(transactionIndex)} (${transactionHash}): ${difference}`
  );
}

function* differenceIn(
  actual: RpcReceipt | undefined,
  original: RpcReceipt,
): Work<string | undefined> {
  if (actual?.transactionHash !== original.transactionHash)
    return 'it was not executed at its position';
  // Receipts before Byzantium have a state root instead of a status (EIP-658).
  if (original.status !== undefined && actual.status !== original.status) {
    return `status ${actual.status ?? 'missing'} instead of ${original.status}`;
  }
  if (BigInt(actual.gasUsed) !== BigInt(original.gasUsed)) {
    return `gas used ${BigInt(actual.gasUsed)} instead of ${BigInt(original.gasUsed)}`;
  }
  const [logs, expected] = [emittedLogs(actual.logs), emittedLogs(original.logs)];
  if (logs.length !== expected.length) {
    return `${logs.length} logs instead of ${expected.length}`;
  }
  for (const [index, log] of expected.entries()) {
    if (identity(log) !== identity(logs[index])) return `log ${index} differs`;
    if (index % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  return undefined;
}

const identity = (log: RpcLog | undefined): string =>
  JSON.stringify([log?.address, log?.topics, log?.data]).toLowerCase();
