import { ApiError } from '../api/errors';
import { isMethodMissing, RpcError, type RpcClient } from '../ethereum/json-rpc';
import { readCallTrace } from '../analysis/read-call-trace';
import type { MinedTransaction, Network, TransactionTrace } from '../analysis/ports';

/** What makes go-ethereum's `callTracer`, or a client that follows it, list the logs as well. */
export const CALL_TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true } } as const;

export interface DebugApiOptions {
  /** Deadline of a trace; the node is asked to give up a little before. */
  timeoutMs?: number;
  now?: () => number;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** How long a node that does not offer the method is not asked again: a provider's plan may change. */
const REST_MS = 10 * 60_000;

/** Traces by the `debug_traceTransaction` of the network's own node. */
export class DebugApi {
  /** Node -> time until which it is known not to offer the method, in milliseconds. */
  private readonly missingUntil = new WeakMap<RpcClient, number>();
  private readonly timeoutMs: number;
  private readonly now: () => number;

  constructor(options: DebugApiOptions = {}) {
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.now = options.now ?? Date.now;
  }

  /**
   * @returns undefined where the node does not offer the method
   * @throws ApiError `upstreamLacksData` where it offers the method but cannot trace this transaction
   */
  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
  ): Promise<TransactionTrace | undefined> {
    if ((this.missingUntil.get(network.rpc) ?? 0) > this.now()) return undefined;
    const limit = `${Math.ceil((this.timeoutMs * 0.9) / 1000)}s`;
    try {
      const answer = await network.rpc.request(
        'debug_traceTransaction',
        [mined.transaction.hash, { ...CALL_TRACER, timeout: limit }],
        { signal, timeoutMs: this.timeoutMs },
      );
      return { ...readCallTrace(answer, mined), method: 'debug' };
    } catch (error) {
      if (isMethodMissing(error)) {
        this.missingUntil.set(network.rpc, this.now() + REST_MS);
        return undefined;
      }
      if (!(error instanceof RpcError)) throw error;
      throw new ApiError(
        'upstreamLacksData',
        `the node of ${network.key} cannot trace ${mined.transaction.hash}: ${error.message}`,
        { cause: error },
      );
    }
  }
}
