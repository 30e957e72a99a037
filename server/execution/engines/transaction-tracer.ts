import type { MinedTransaction, Network } from '../../analysis/ports';
import type { OnProgress } from '../../api/progress';
import { requestEach, type RpcCallOptions, type RpcClient } from '../../evm/forms/json-rpc';
import { blockOverrides } from '../prefix/predict-effects';
import { asCallWithNonce } from '../prefix/transaction-to-call';
import { fetchBlockOf, requireExecutableForm } from './block-of-transaction';
import { withEngineAt, type EngineAtPositionPorts } from './engine-at-position';
import type { Executions } from './executions';

/** A node or an engine that traces one transaction. */
export interface TracedOn {
  readonly rpc: RpcClient;
  /** Returns the results of the tracers, in their order. @throws RpcError if a tracer fails */
  readonly run: (tracers: readonly object[], options: RpcCallOptions) => Promise<unknown[]>;
}

/** Runs tracers on a mined transaction: those of the network's own node, or those of an engine at its position. */
export class TransactionTracer {
  constructor(
    private readonly engines: EngineAtPositionPorts,
    private readonly executions: Executions,
  ) {}

  /** Not every node offers its tracers. */
  node({ rpc }: Network, { transaction: { hash } }: MinedTransaction): TracedOn {
    return {
      rpc,
      run: (tracers, options) =>
        requestEach(
          rpc,
          tracers.map((tracer) => ({ method: 'debug_traceTransaction', params: [hash, tracer] })),
          options,
        ),
    };
  }

  /**
   * Waits for its turn and provides an engine with the state before the transaction.
   * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`; RpcError of the engine; errors of `work`
   */
  onEngine<T>(
    network: Network,
    mined: MinedTransaction,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress | undefined },
    work: (engine: TracedOn) => Promise<T>,
  ): Promise<T> {
    return this.executions.add(async () => {
      requireExecutableForm(mined);
      const block = await fetchBlockOf(network, mined, signal);
      const position = Number(mined.transaction.transactionIndex);
      const call = asCallWithNonce(mined.transaction);
      const context = { blockOverrides: blockOverrides(block) };
      const point = { network, block, position };
      return withEngineAt(this.engines, point, { signal, onProgress }, ({ rpc }) =>
        work({
          rpc,
          run: (tracers, options) =>
            requestEach(
              rpc,
              tracers.map((tracer) => ({
                method: 'debug_traceCall',
                params: [call, 'latest', { ...tracer, ...context }],
              })),
              options,
            ),
        }),
      );
    }, signal);
  }
}
