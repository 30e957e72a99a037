import { TOUCHED_TRACER } from '../../analysis/execution-state';
import type {
  MinedTransaction,
  Network,
  TraceSource,
  TransactionTrace,
} from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { OnProgress } from '../../api/progress';
import { isMissingState } from '../../evm/forms/endpoint-errors';
import { RpcError } from '../../evm/forms/json-rpc';

/** Reads what transactions found on the chain: from their trace, from the network's own node, else by a replay. */
export class Prestates {
  constructor(private readonly replay: TraceSource) {}

  /**
   * @returns result of `prestateTracer`
   * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut`
   */
  async prestate(
    network: Network,
    mined: MinedTransaction,
    trace: TransactionTrace,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<unknown> {
    if (trace.prestate !== undefined) return trace.prestate;
    const found = trace.method === 'debug' ? await onNode(network, mined, signal) : undefined;
    if (found !== undefined) return found;
    if (network.replayable) {
      const { prestate } = await this.replay.trace(network, mined, signal, onProgress);
      if (prestate !== undefined) return prestate;
    }
    throw new ApiError(
      'upstreamLacksData',
      `the state that ${mined.transaction.hash} reads is not available: the node of ${network.key} does not offer prestateTracer, and a replay differs from the receipt`,
    );
  }
}

/** Undefined if the node does not offer the tracer, or no longer has the state for it. */
async function onNode(
  { rpc }: Network,
  { transaction }: MinedTransaction,
  signal: AbortSignal,
): Promise<unknown> {
  const options = { signal, timeoutMs: LIMITS.replayTime };
  try {
    return await rpc.request('debug_traceTransaction', [transaction.hash, TOUCHED_TRACER], options);
  } catch (error) {
    if (error instanceof RpcError || isMissingState(error)) return undefined;
    throw error;
  }
}
