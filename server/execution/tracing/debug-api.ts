import { ApiError } from '../../api/errors';
import { isMethodMissing, RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import {
  CHANGES_TRACER,
  readExecutionState,
  TOUCHED_TRACER,
  type ExecutionState,
} from '../../analysis/execution-state';
import type { CallFrame } from '../../analysis/call-frame';
import { completeChanges } from '../../analysis/state/complete-changes';
import { callTraceWork, type ReadTrace } from '../../analysis/traces/call-tracer';
import { inSlices } from '../../kernel/async/slices';
import { LIMITS } from '../../api/limits';
import { changesOnEngine } from './replay-fees';
import { needsDetails, isTooLong, DETAIL_TRACER, DETAIL_TIMEOUT_MS } from './call-details';
import type {
  MinedTransaction,
  Network,
  StateSource,
  TransactionTrace,
} from '../../analysis/ports';

/** Makes go-ethereum's `callTracer`, and compatible clients, list the logs as well. */
export const CALL_TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true } } as const;

export interface DebugApiOptions {
  /** Deadline of a trace. The node gets a slightly shorter one. */
  timeoutMs?: number;
  now?: () => number;
}

/** How long a node without the method is not asked again: a provider's plan may change. */
const REST_MS = 10 * 60_000;

/** Traces with the `debug_traceTransaction` of the network's own node. */
export class DebugApi implements StateSource {
  /** Node -> time until which it counts as lacking the method, in milliseconds. */
  readonly #missingUntil = new WeakMap<RpcClient, number>();
  /** Node -> time until which it counts as refusing custom tracers. */
  readonly #scriptsRefusedUntil = new WeakMap<RpcClient, number>();
  readonly #timeoutMs: number;
  readonly #now: () => number;

  constructor(options: DebugApiOptions = {}) {
    this.#timeoutMs = options.timeoutMs ?? LIMITS.replayTime;
    this.#now = options.now ?? Date.now;
  }

  /**
   * @returns undefined if the node does not offer the method
   * @throws ApiError `upstreamLacksData` if the node offers the method but cannot trace this transaction
   */
  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
  ): Promise<TransactionTrace | undefined> {
    if ((this.#missingUntil.get(network.rpc) ?? 0) > this.#now()) return undefined;
    const run = (tracer: object, timeoutMs: number): Promise<unknown> => {
      const timeout = `${Math.ceil((timeoutMs * 0.9) / 1000)}s`;
      const params = [mined.transaction.hash, { ...tracer, timeout }];
      return network.rpc.request('debug_traceTransaction', params, { signal, timeoutMs });
    };
    try {
      const answer = await run(CALL_TRACER, this.#timeoutMs);
      const read = (details?: unknown): Promise<ReadTrace> =>
        inSlices(callTraceWork(answer, mined, details), signal);
      const trace = await read();
      const details = needsDetails(trace.root)
        ? await this.#details(network, run, signal)
        : undefined;
      return { ...(details === undefined ? trace : await read(details)), method: 'debug' };
    } catch (error) {
      if (isMethodMissing(error)) {
        this.#missingUntil.set(network.rpc, this.#now() + REST_MS);
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

  async state(
    network: Network,
    mined: MinedTransaction,
    root: CallFrame,
    signal: AbortSignal,
  ): Promise<ExecutionState | undefined> {
    if ((this.#missingUntil.get(network.rpc) ?? 0) > this.#now()) return undefined;
    const [touched, changes] = await network.rpc.requestAll(
      [TOUCHED_TRACER, CHANGES_TRACER].map((tracer) => ({
        method: 'debug_traceTransaction',
        params: [mined.transaction.hash, tracer],
      })),
      { signal },
    );
    if (touched?.status !== 'fulfilled' || changes?.status !== 'fulfilled') return undefined;
    const paid = network.replayable ? changes.value : changesOnEngine(mined, changes.value);
    return readExecutionState(touched.value, completeChanges(paid, touched.value, root, mined));
  }

  /** Result of `DETAIL_TRACER`; undefined if the node returns none. Few nodes run custom tracers. */
  async #details(
    network: Network,
    run: (tracer: object, timeoutMs: number) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<unknown> {
    if ((this.#scriptsRefusedUntil.get(network.rpc) ?? 0) > this.#now()) return undefined;
    try {
      return await run(DETAIL_TRACER, Math.min(this.#timeoutMs, DETAIL_TIMEOUT_MS));
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isTooLong(error)) this.#scriptsRefusedUntil.set(network.rpc, this.#now() + REST_MS);
      return undefined;
    }
  }
}
