import { ApiError } from '../../api/errors';
import { RpcError } from '../../evm/forms/json-rpc';
import { callTraceWork } from '../../analysis/traces/call-tracer';
import type { MinedTransaction, Network, TransactionTrace } from '../../analysis/ports';
import { inSlices } from '../../kernel/async/slices';
import { callFrameOf, type FlatTrace } from './call-frames-of-traces';
import { placeLogs } from './place-logs';

const REASON =
  "the node has neither debug_traceTransaction nor the state before the block; its trace_transaction lists calls without events, which are the receipt's, each at the earliest call that can have emitted it";

/** Traces with the `trace_transaction` of the network's own node, which needs no state of the past. */
export class CallTraces {
  /**
   * @returns undefined if the node offers no such traces, or other ones than those of the transaction
   * @throws ApiError `upstreamUnreachable`, `timedOut`
   */
  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
  ): Promise<TransactionTrace | undefined> {
    const { transaction, receipt } = mined;
    try {
      const answer = await network.rpc.request('trace_transaction', [transaction.hash], { signal });
      const frame = Array.isArray(answer) ? callFrameOf(answer as FlatTrace[]) : undefined;
      if (!frame || !placeLogs(frame, receipt.logs)) return undefined;
      const { root } = await inSlices(callTraceWork(frame, mined), signal);
      const reportedGas = Number(receipt.gasUsed);
      return { root, reportedGas, method: 'debug', proof: { wholePrefix: false, reason: REASON } };
    } catch (error) {
      const isMissing = error instanceof ApiError && error.kind === 'upstreamLacksData';
      if (isMissing || error instanceof RpcError) return undefined;
      throw error;
    }
  }
}
