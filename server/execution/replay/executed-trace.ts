import { readExecutionState } from '../../analysis/execution-state';
import type { MinedTransaction, TransactionTrace } from '../../analysis/ports';
import { completeChanges } from '../../analysis/state/complete-changes';
import { callTraceWork } from '../../analysis/traces/call-tracer';
import { inSlices } from '../../kernel/async/slices';
import type { ExecutedTransaction } from '../prefix/block-executor';

/** The trace of a transaction that the service itself executed. @throws ApiError `upstreamLacksData` if it is another one's */
export async function executedTrace(
  { calls, receipt, changes, touched, spentGas }: ExecutedTransaction,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<TransactionTrace> {
  const work = callTraceWork(calls.answer, mined, calls.details);
  const read = await inSlices(work, signal);
  const complete = completeChanges(changes, touched, read.root, mined);
  const state = readExecutionState(touched, complete);
  return {
    root: read.root,
    reportedGas: Number(receipt.gasUsed),
    method: 'replay',
    executor: 'process',
    prestate: touched,
    changes: complete,
    ...(state && { state }),
    ...(spentGas && { spentGas }),
  };
}
