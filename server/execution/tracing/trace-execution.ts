import { CHANGES_TRACER, readExecutionState, TOUCHED_TRACER } from '../../analysis/execution-state';
import { completeChanges } from '../../analysis/state/complete-changes';
import type { MinedTransaction, TransactionTrace } from '../../analysis/ports';
import { callTraceWork, type ReadTrace } from '../../analysis/traces/call-tracer';
import { traceDifference } from '../../analysis/traces/verify';
import type { RpcCallOptions, RpcClient } from '../../evm/forms/json-rpc';
import { inSlices } from '../../kernel/async/slices';
import { changesOfReplay, unchargedBy } from './replay-fees';
import { CALL_TRACER } from './debug-api';
import { needsDetails, DETAIL_TRACER, DETAIL_TIMEOUT_MS } from './call-details';

/** Deadline of traces that only serve to prove balances, in milliseconds. */
const STATE_TIMEOUT_MS = 5_000;

export interface Execution {
  readonly engine: RpcClient;
  readonly mined: MinedTransaction;
  /** Executes the transaction at its position, with a tracer. */
  readonly run: (tracer: object, options: RpcCallOptions) => Promise<unknown>;
  /** Results of the tracers for touched and changed state, if already available. `touched` lacks codes, which `prestate` has. */
  readonly state?: {
    readonly touched: unknown;
    readonly changes: unknown;
    readonly prestate: unknown;
  };
  readonly signal: AbortSignal;
}

/**
 * The trace of a transaction that an engine executes again. If it matches the receipt, it includes the logs of failed frames and the state
 * before and after, as far as the engine reports them.
 * @throws RpcError if the engine refuses the transaction
 */
export async function traceExecution(execution: Execution): Promise<TransactionTrace> {
  const { engine, mined, run, signal } = execution;
  const tried = async (tracer: object, timeoutMs: number): Promise<unknown> => {
    try {
      return await run(tracer, { signal, timeoutMs });
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  };
  const answer = await run(CALL_TRACER, { signal });
  const read = (details?: unknown): Promise<ReadTrace> =>
    inSlices(callTraceWork(answer, mined, details), signal);
  let trace: TransactionTrace = { ...(await read()), method: 'replay' };
  const engineGas = BigInt(trace.reportedGas);
  let changes = execution.state?.changes;
  if (traceDifference(trace, mined.receipt) !== undefined) {
    if (mined.transaction.authorizationList === undefined) return trace;
    changes ??= await tried(CHANGES_TRACER, STATE_TIMEOUT_MS);
    const gas = Number(unchargedBy(mined, changes, engineGas));
    trace = { ...trace, reportedGas: trace.reportedGas + gas };
    if (traceDifference(trace, mined.receipt) !== undefined) return trace;
  }
  const details = needsDetails(trace.root)
    ? await tried(DETAIL_TRACER, DETAIL_TIMEOUT_MS)
    : undefined;
  const touched = execution.state?.touched ?? (await tried(TOUCHED_TRACER, STATE_TIMEOUT_MS));
  changes ??= await tried(CHANGES_TRACER, STATE_TIMEOUT_MS);
  const paid =
    changes &&
    completeChanges(
      await changesOfReplay(engine, mined, changes, engineGas, signal),
      touched,
      trace.root,
      mined,
    );
  const state = readExecutionState(touched, paid);
  const prestate = execution.state ? execution.state.prestate : touched;
  return {
    ...trace,
    ...(details === undefined ? {} : { root: (await read(details)).root }),
    ...(state && { state }),
    ...(prestate === undefined ? {} : { prestate }),
    ...(paid === undefined ? {} : { changes: paid }),
  };
}
