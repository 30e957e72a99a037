import PQueue from 'p-queue';
import type { Network } from '../analysis/ports';
import { ApiError } from '../api/errors';
import type { Engine } from '../ethereum/engine';
import { RpcError, type RpcCall, type RpcClient } from '../ethereum/json-rpc';
import type { RpcBlock, RpcReceipt } from '../ethereum/types';
import { LIMITS } from '../limits';
import { applyTransactions, warm } from '../replay/apply-prefix';
import { asCallInPlace } from '../replay/as-call';
import { enterBlock } from '../replay/block-context';
import { compareReceipts } from '../replay/compare-receipts';
import { blockOverrides } from '../replay/execute-as-call';
import { executeInOrder } from '../replay/execute-in-order';
import { isOpcodeTrace, requireListable } from '../replay/listed-steps';
import { planReplay } from '../replay/replay-steps';
import { fetchBlock, fetchReceipts } from '../replay/upstream-block';
import { startInFrontOf, type EngineAtPositionPorts } from './engine-at-position';

/** A block: all of its transactions, or the one at `index`. */
export interface TracePlace {
  block: number;
  index?: number;
}

/**
 * Answers trace methods for chains whose node offers none, by executing the block again on an engine. Needs an archive node. If the
 * execution differs from the original receipts, the call is refused: a returned trace is always exact.
 */
export class OriginalTraces {
  readonly #queue = new PQueue({ concurrency: 2 });

  constructor(private readonly ports: EngineAtPositionPorts) {}

  /**
   * @param call `debug_traceTransaction`, `debug_traceBlockByNumber`, `trace_transaction` or `trace_block`, with its parameters
   * @throws RpcError for another method, or a difference; ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut`
   */
  async answer(network: Network, call: RpcCall, place: TracePlace): Promise<unknown> {
    const signal = AbortSignal.timeout(LIMITS.replayTime);
    try {
      return await this.#answer(network, call, place, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const what = `executing block ${place.block} of ${network.key} again`;
      throw new ApiError('timedOut', `${what} took longer than ${LIMITS.replayTime / 1000} s`, {
        cause: error,
      });
    }
  }

  async #answer(
    network: Network,
    { method, params }: RpcCall,
    place: TracePlace,
    signal: AbortSignal,
  ): Promise<unknown> {
    const [, options = {}] = params;
    switch (method) {
      case 'debug_traceTransaction':
        return (await this.#debug(network, place, options, signal))[0]?.result;
      case 'debug_traceBlockByNumber':
        return this.#debug(network, place, options, signal);
      case 'trace_transaction':
      case 'trace_block':
        return this.#parity(network, place, signal);
    }
    throw refused(`does not offer ${method}, and it cannot be answered without`);
  }

  /** In the order of the block, as in `debug_traceBlockByNumber`. */
  #debug(
    network: Network,
    place: TracePlace,
    options: unknown,
    signal: AbortSignal,
  ): Promise<{ txHash: string; result: unknown }[]> {
    return this.#inFrontOf(network, place, signal, async (engine, block, receipts) => {
      const steps = await planReplay(block, receipts, network.rpc, signal);
      const traces: { txHash: string; result: unknown }[] = [];
      await enterBlock(engine, block, signal);
      await warm(engine, block, steps, signal);
      const executed = await executeInOrder(engine, block, steps, {
        signal,
        onForeign: ({ transaction }, applied) => {
          if (applied) return;
          throw refused(`lacks what ${transaction.hash} did, which no engine executes`);
        },
        onTransaction: async ({ transaction, raw }) => {
          const index = Number(transaction.transactionIndex);
          if (place.index !== undefined && place.index !== index) return;
          if (raw === undefined) {
            throw refused(`does not trace ${transaction.hash}, which no engine executes`);
          }
          const context = { ...(options as object), blockOverrides: blockOverrides(block) };
          const params = [asCallInPlace(transaction), 'latest', context];
          if (isOpcodeTrace(options)) await requireListable(engine, params, signal);
          const result = await engine.request('debug_traceCall', params, { signal });
          traces.push({ txHash: transaction.hash, result });
        },
      });
      const own = steps.flatMap(({ raw, receipt }) => (raw && receipt ? [receipt] : []));
      requireSame(executed, own);
      return traces;
    });
  }

  #parity(network: Network, place: TracePlace, signal: AbortSignal): Promise<unknown[]> {
    return this.#inFrontOf(network, place, signal, async (engine, block, receipts) => {
      const options = { receipts, upstream: network.rpc, signal };
      const { foreign } = await applyTransactions(engine, block, receipts.length, options);
      const [first] = foreign ?? [];
      if (first) throw refused(`does not trace ${first.hash}, which no engine executes`);
      const params = [block.number];
      requireSame(
        (await engine.request('eth_getBlockReceipts', params, { signal })) as RpcReceipt[],
        receipts,
      );
      const traces = (await engine.request('trace_block', params, { signal })) as {
        transactionPosition: number;
      }[];
      return traces
        .filter(
          ({ transactionPosition }) => transactionPosition === (place.index ?? transactionPosition),
        )
        .map((trace) => ({ ...trace, blockHash: block.hash }));
    });
  }

  /** Passes the part of the block that has to be executed. */
  #inFrontOf<T>(
    network: Network,
    { block: number, index }: TracePlace,
    signal: AbortSignal,
    work: (engine: RpcClient, block: RpcBlock, receipts: RpcReceipt[]) => Promise<T>,
  ): Promise<T> {
    return this.#queue.add(
      async () => {
        const whole = number === 0 ? null : await fetchBlock(network.rpc, number, { signal });
        if (!whole) throw refused(`does not give block ${number} in a way that can be executed`);
        const count = index === undefined ? whole.transactions.length : index + 1;
        const block = { ...whole, transactions: whole.transactions.slice(0, count) };
        const receipts = await fetchReceipts(network.rpc, block, count, {
          signal,
          rules: { chainId: network.chainId, hardfork: this.ports.hardforkOf(network, block) },
        });
        return startInFrontOf(this.ports, network, block, signal, (engine: Engine) =>
          work(engine.rpc, block, receipts),
        );
      },
      { throwOnTimeout: true },
    );
  }
}

function requireSame(executed: readonly RpcReceipt[], originals: readonly RpcReceipt[]): void {
  const { firstDifference } = compareReceipts(executed, originals);
  if (firstDifference === undefined) return;
  throw refused(`offers no traces, and executing the block again differs at ${firstDifference}`);
}

/** EIP-1474: resource unavailable. */
const refused = (why: string): RpcError => new RpcError(-32002, `the forked chain's node ${why}`);
