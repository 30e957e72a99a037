import { executionSteps } from '../analysis/call-frame';
import type { MinedTransaction, TransactionTrace } from '../analysis/ports';
import { traceDifference } from '../analysis/verify-trace';
import type { Address } from '../api/primitives';
import type { RpcClient } from '../ethereum/json-rpc';
import type { RpcBlock, RpcReceipt } from '../ethereum/types';
import { applyTransactions } from '../replay/apply-prefix';
import { relatedTransactions } from '../replay/prefix-selection';

export interface Attempt {
  readonly engine: RpcClient;
  /** The chain itself. */
  readonly upstream: RpcClient;
  readonly block: RpcBlock;
  readonly mined: MinedTransaction;
  /** Of the transactions in front of it, in order. */
  readonly receipts: readonly RpcReceipt[];
  readonly signal: AbortSignal;
  /** Told after each of the transactions in front that is applied. */
  readonly onReplay?: (done: number, total: number) => void;
  /** Traces the transaction on the engine's newest state. */
  readonly trace: () => Promise<TransactionTrace>;
}

/**
 * Executes a transaction at its place, with as little as needed in front of it: nothing first; then the transactions that touch
 * the same accounts; then all. What was executed with less is taken only if status, gas and every log equal the receipt, and
 * nothing that was left out is seen to touch an account of the trace.
 * @param attempt its engine stands at the parent of the block
 */
export async function replayAtPosition(attempt: Attempt): Promise<TransactionTrace> {
  const { engine, receipts, signal } = attempt;
  const position = receipts.length;
  if (position === 0) return applyAndTrace(attempt, []);
  let origin = await engine.request('evm_snapshot', [], { signal });
  const rewind = async (): Promise<void> => {
    await engine.request('evm_revert', [origin], { signal });
    origin = await engine.request('evm_snapshot', [], { signal });
  };

  const alone = await applyAndTrace(attempt, []);
  if (isAcceptable(alone, attempt, [])) return alone;
  await rewind();

  const related = relatedTransactions(attempt.block, position, receipts, accountsOf(alone));
  // Where it is most of them anyway, trying would cost more than it saves.
  if (related.length > 0 && related.length * 2 < position) {
    const some = await applyAndTrace(attempt, related).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined; // the whole prefix may still do
    });
    if (some && isAcceptable(some, attempt, related)) return some;
    await rewind();
  }
  return applyAndTrace(
    attempt,
    receipts.map((_, index) => index),
  );
}

async function applyAndTrace(
  { engine, upstream, block, receipts, signal, onReplay, trace }: Attempt,
  indexes: readonly number[],
): Promise<TransactionTrace> {
  const pick = <T>(list: readonly T[]): T[] =>
    indexes.flatMap((index) => {
      const one = list[index];
      return one === undefined ? [] : [one];
    });
  const chosen = { ...block, transactions: pick(block.transactions) };
  await applyTransactions(engine, chosen, indexes.length, {
    receipts: pick(receipts),
    upstream,
    signal,
    onProgress: onReplay,
  });
  return { ...(await trace()), applied: indexes.length };
}

/**
 * Whether a trace made without some of the transactions in front can stand. That it equals the receipt is not enough: a proxy that
 * was upgraded just before may fail with the same gas. None of those left out may touch an account of the trace.
 */
function isAcceptable(
  trace: TransactionTrace,
  { block, receipts, mined }: Attempt,
  applied: readonly number[],
): boolean {
  return (
    traceDifference(trace, mined.receipt) === undefined &&
    relatedTransactions(block, receipts.length, receipts, accountsOf(trace)).every((index) =>
      applied.includes(index),
    )
  );
}

function accountsOf({ root }: TransactionTrace): Set<Address> {
  const accounts = new Set<Address>();
  for (const { frame } of executionSteps(root)) {
    accounts.add(frame.from);
    if (frame.to !== null) accounts.add(frame.to);
  }
  return accounts;
}
