import { ApiError, type ApiErrorName } from '../api/errors';
import type { OnProgress } from '../api/progress';
import type { MinedTransaction, Network, TraceSource, TransactionTrace } from '../analysis/ports';
import { executionSteps } from '../analysis/call-frame';
import { isMissingState } from '../evm/forms/endpoint-errors';
import type { CallTraces } from './tracing/call-traces';
import type { DebugApi } from './tracing/debug-api';

/** Returns the trace of the network's node if it has one, else executes the transaction again. Without the state for that, the node's traces of calls are left. */
export class NetworkTraceSource implements TraceSource {
  constructor(
    private readonly debugApi: DebugApi,
    private readonly replaySource: TraceSource,
    private readonly callTraces: Pick<CallTraces, 'trace'>,
  ) {}

  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TransactionTrace> {
    if (!network.replayable) {
      const recorded = await this.debugApi.trace(network, mined, signal);
      if (recorded) return recorded;
      throw new ApiError(
        'upstreamLacksData',
        `the node of ${network.key} does not offer debug_traceTransaction`,
      );
    }
    const recorded = await this.#recorded(network, mined, signal);
    if (recorded && !lacksLogs(recorded, mined)) return recorded;
    try {
      return await this.replaySource.trace(network, mined, signal, onProgress);
    } catch (error) {
      if (signal.aborted) throw error;
      if (recorded) return recorded;
      if (!isMissingState(error)) throw error;
      const listed = await this.callTraces.trace(network, mined, signal).catch(() => undefined);
      if (listed) return listed;
      throw error;
    }
  }

  /** Undefined if a replay may succeed instead: the node cannot trace the transaction, fails, or does not answer in time. */
  async #recorded(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
  ): Promise<TransactionTrace | undefined> {
    try {
      return await this.debugApi.trace(network, mined, signal);
    } catch (error) {
      if (error instanceof ApiError && REPLAYED_FOR.has(error.kind)) return undefined;
      throw error;
    }
  }
}

const REPLAYED_FOR: ReadonlySet<ApiErrorName> = new Set([
  'upstreamLacksData',
  'upstreamUnreachable',
  'timedOut',
]);

/** Some nodes trace calls but omit the logs. */
function lacksLogs({ root }: TransactionTrace, { receipt }: MinedTransaction): boolean {
  if (receipt.logs.length === 0) return false;
  for (const { log, reverted } of executionSteps(root)) if (log && !reverted) return false;
  return true;
}
