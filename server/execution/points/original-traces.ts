import type { Network } from '../../analysis/ports';
import type { Engine } from '../../evm/forms/engine';
import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { withDeadline } from '../../kernel/async/with-deadline';
import type { Executions } from '../engines/executions';
import { applyTransactions } from '../prefix/apply-prefix';
import { EngineBlobGas } from '../prefix/engine-blob-gas';
import { warm } from '../prefix/load-state';
import { asCallWithNonce } from '../prefix/transaction-to-call';
import { enterBlock } from '../prefix/block-context';
import { compareReceipts } from '../prefix/compare-receipts';
import { blockOverrides } from '../prefix/predict-effects';
import { executeInOrder } from '../prefix/execute-in-order';
import { isOpcodeTrace, requireListable } from '../prefix/opcode-trace-bound';
import { planReplay } from '../prefix/replay-steps';
import { fetchBlock, fetchReceipts } from '../prefix/upstream-block';
import {
  startBeforeBlock,
  withEngineAt,
  type EngineAtPositionPorts,
} from '../engines/engine-at-position';

/** A block: all of its transactions, or the one at `index`. */
export interface TracedTransactions {
  block: number;
  index?: number;
}

/**
 * Answers trace methods for chains whose node offers none, by executing the block again on an engine. Needs an archive node. If the
 * execution differs from the original receipts, the call is refused: a returned trace is always exact.
 */
export class OriginalTraces {
  constructor(
    private readonly ports: EngineAtPositionPorts,
    private readonly executions: Executions,
  ) {}

  /**
   * @param call `debug_traceTransaction`, `debug_traceBlockByNumber`, `debug_traceCall`, `trace_transaction`, `trace_block`, or one of
   *   Otterscan's methods for a transaction, with its parameters
   * @throws RpcError for another method, or a difference; ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut`
   */
  async answer(network: Network, call: RpcCall, traced: TracedTransactions): Promise<unknown> {
    const what = `executing block ${traced.block} of ${network.key} again`;
    return withDeadline({ timeoutMs: LIMITS.replayTime, what }, (signal) =>
      this.#answer(network, call, traced, signal),
    );
  }

  async #answer(
    network: Network,
    { method, params }: RpcCall,
    traced: TracedTransactions,
    signal: AbortSignal,
  ): Promise<unknown> {
    const [, options = {}] = params;
    switch (method) {
      case 'debug_traceTransaction':
        return (await this.#debug(network, traced, options, signal))[0]?.result;
      case 'debug_traceBlockByNumber':
        return this.#debug(network, traced, options, signal);
      case 'trace_transaction':
      case 'trace_block':
        return this.#parity(network, traced, signal);
      case 'ots_traceTransaction':
      case 'ots_getInternalOperations':
      case 'ots_getTransactionError':
        return this.#otterscan(network, { method, params }, traced, signal);
      case 'debug_traceCall':
        return this.#call(network, params, traced, signal);
    }
    throw refused(`does not offer ${method}, and the service cannot answer it instead`);
  }

  /** In the order of the block, as in `debug_traceBlockByNumber`. */
  #debug(
    network: Network,
    traced: TracedTransactions,
    options: unknown,
    signal: AbortSignal,
  ): Promise<{ txHash: string; result: unknown }[]> {
    return this.#beforeTransaction(network, traced, signal, async (engine, block, receipts) => {
      const steps = await planReplay(block, receipts, network.rpc, signal);
      const traces: { txHash: string; result: unknown }[] = [];
      const blobGas = new EngineBlobGas(
        engine,
        await this.ports.rulesOf(network, block),
        network.chainId,
        block,
      );
      await blobGas.enterOriginal(block, signal);
      await enterBlock(engine, block, signal);
      await warm(engine, block, steps, signal);
      const executed = await executeInOrder(engine, block, steps, {
        signal,
        onForeign: ({ transaction }, applied) => {
          if (applied) return;
          throw refused(
            `does not return the state changes of ${transaction.hash}, which the engine cannot execute`,
          );
        },
        onTransaction: async ({ transaction, raw }) => {
          const index = Number(transaction.transactionIndex);
          if (traced.index !== undefined && traced.index !== index) return;
          if (raw === undefined) {
            throw refused(`does not trace ${transaction.hash}, which the engine cannot execute`);
          }
          const context = { ...(options as object), blockOverrides: blockOverrides(block) };
          const params = [asCallWithNonce(transaction), 'latest', context];
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

  #parity(network: Network, traced: TracedTransactions, signal: AbortSignal): Promise<unknown[]> {
    return this.#minedAgain(network, traced, signal, async (engine, block) => {
      const params = [block.number];
      const traces = (await engine.request('trace_block', params, { signal })) as {
        transactionPosition: number;
      }[];
      return traces
        .filter(
          ({ transactionPosition }) =>
            transactionPosition === (traced.index ?? transactionPosition),
        )
        .map((trace) => ({ ...trace, blockHash: block.hash }));
    });
  }

  /** Otterscan's methods, of which the engine offers these. */
  #otterscan(
    network: Network,
    { method, params }: RpcCall,
    traced: TracedTransactions,
    signal: AbortSignal,
  ): Promise<unknown> {
    return this.#minedAgain(network, traced, signal, (engine) =>
      engine.request(method, params, { signal }),
    );
  }

  /** On the state after a block, in the context of the block, as in go-ethereum. */
  #call(
    network: Network,
    [call, , options]: readonly unknown[],
    { block: number }: TracedTransactions,
    signal: AbortSignal,
  ): Promise<unknown> {
    return this.executions.add(async () => {
      const block = await fetchBlock(network.rpc, number, { signal });
      if (!block) throw refused(`does not return block ${number} in an executable form`);
      const point = { network, block, position: block.transactions.length };
      return withEngineAt(this.ports, point, { signal }, async ({ rpc }) => {
        const given = (options ?? {}) as { blockOverrides?: object };
        const context = { ...blockOverrides(block), ...given.blockOverrides };
        const params = [call, 'latest', { ...given, blockOverrides: context }];
        if (isOpcodeTrace(options)) await requireListable(rpc, params, signal);
        return rpc.request('debug_traceCall', params, { signal });
      });
    }, signal);
  }

  /** Mines the transactions again. Their receipts are the originals. */
  #minedAgain<T>(
    network: Network,
    traced: TracedTransactions,
    signal: AbortSignal,
    work: (engine: RpcClient, block: RpcBlock) => Promise<T>,
  ): Promise<T> {
    return this.#beforeTransaction(network, traced, signal, async (engine, block, receipts) => {
      const rules = await this.ports.rulesOf(network, block);
      const options = { receipts, upstream: network.rpc, rules, signal };
      const { foreign } = await applyTransactions(engine, block, receipts.length, options);
      const [first] = foreign ?? [];
      if (first) throw refused(`does not trace ${first.hash}, which the engine cannot execute`);
      requireSame(
        (await engine.request('eth_getBlockReceipts', [block.number], { signal })) as RpcReceipt[],
        receipts,
      );
      return work(engine, block);
    });
  }

  /** Passes the part of the block that has to be executed. */
  #beforeTransaction<T>(
    network: Network,
    { block: number, index }: TracedTransactions,
    signal: AbortSignal,
    work: (engine: RpcClient, block: RpcBlock, receipts: RpcReceipt[]) => Promise<T>,
  ): Promise<T> {
    return this.executions.add(async () => {
      const whole =
        number === 0
          ? null
          : await fetchBlock(network.rpc, number, { signal, chainId: network.chainId });
      if (!whole) throw refused(`does not return block ${number} in an executable form`);
      const count = index === undefined ? whole.transactions.length : index + 1;
      const block = { ...whole, transactions: whole.transactions.slice(0, count) };
      const rules = await this.ports.rulesOf(network, block);
      const receipts = await fetchReceipts(network.rpc, block, count, { signal, rules });
      return startBeforeBlock(this.ports, network, block, signal, (engine: Engine) =>
        work(engine.rpc, block, receipts),
      );
    }, signal);
  }
}

function requireSame(executed: readonly RpcReceipt[], originals: readonly RpcReceipt[]): void {
  const { firstDifference } = compareReceipts(executed, originals);
  if (firstDifference === undefined) return;
  throw refused(`offers no traces, and executing the block again differs at ${firstDifference}`);
}

/** EIP-1474: resource unavailable. */
const refused = (why: string): RpcError =>
  new RpcError(RPC_CODES.unavailable, `the forked chain's node ${why}`);
