import type { MinedTransaction, Network, TransactionTrace } from '../../analysis/ports';
import type { Engine } from '../../evm/forms/engine';
import { RpcError, type RpcCallOptions, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import { applyTransactions } from '../prefix/apply-prefix';
import { asCallWithNonce } from '../prefix/transaction-to-call';
import { blockOverrides } from '../prefix/predict-effects';
import {
  fetchBlockInParts,
  type BlockInParts,
  type ReceiptOptions,
} from '../prefix/upstream-block';
import { mintOnEngine } from '../tracing/deposit-mint';
import { blockOf, lacksData } from '../engines/block-of-transaction';
import {
  exactExecution,
  startBeforeBlock,
  type EngineAtPositionPorts,
} from '../engines/engine-at-position';
import { traceExecution } from '../tracing/trace-execution';

export interface ForkedEngineReplayOptions {
  readonly network: Network;
  readonly mined: MinedTransaction;
  readonly block: RpcBlock;
  /** Receipts of the earlier transactions of the block, in order. */
  readonly receipts: readonly RpcReceipt[];
  readonly signal: AbortSignal;
  /** Called after each earlier transaction. */
  readonly onReplay?: ((done: number, total: number) => void) | undefined;
  /** Runs on the engine before the first transaction. */
  readonly prepare?: (engine: RpcClient) => Promise<void>;
}

/** Executes every earlier transaction of the block on a fork of the chain, then the transaction. */
export async function replayOnForkedEngine(
  ports: EngineAtPositionPorts,
  { network, mined, block, receipts, signal, onReplay, prepare }: ForkedEngineReplayOptions,
): Promise<TransactionTrace> {
  const applied = receipts.length;
  try {
    return await startBeforeBlock(ports, network, block, signal, async (engine) => {
      await prepare?.(engine.rpc);
      const { firstDifference } = await applyTransactions(engine.rpc, block, applied, {
        receipts,
        upstream: network.rpc,
        rules: await ports.rulesOf(network, block),
        exact: await exactExecution(ports, network, block),
        signal,
        onProgress: onReplay,
      });
      const trace = await traceOn(engine, block, mined, signal);
      const proof =
        firstDifference === undefined
          ? { wholePrefix: true }
          : { wholePrefix: false, reason: differs(firstDifference) };
      return { ...trace, applied, proof };
    });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw lacksData(mined, error.message, error);
  }
}

/**
 * The block of a transaction with the receipts of its first `count` transactions.
 * @throws as `fetchBlockOf`
 */
export async function fetchBlockInPartsOf(
  { rpc }: Network,
  mined: MinedTransaction,
  count: number,
  options: ReceiptOptions,
): Promise<BlockInParts> {
  const parts = await fetchBlockInParts(rpc, Number(mined.block.number), count, options);
  const block = blockOf(mined, parts?.block ?? null);
  return { block, receipts: parts?.receipts ?? (() => Promise.resolve([])) };
}

/** @param difference a description */
export const differs = (difference: string): string =>
  `the replay of the block differs: ${difference}`;

/** Traces the transaction as a call, which sees the real PREVRANDAO or DIFFICULTY of the block. A mined transaction could not. */
async function traceOn(
  engine: Engine,
  block: RpcBlock,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<TransactionTrace> {
  const call = asCallWithNonce(mined.transaction);
  const context = { blockOverrides: blockOverrides(block) };
  const run = (tracer: object, options: RpcCallOptions): Promise<unknown> =>
    engine.rpc.request('debug_traceCall', [call, 'latest', { ...tracer, ...context }], options);
  await mintOnEngine(engine.rpc, mined.transaction, signal);
  return traceExecution({ engine: engine.rpc, mined, run, signal });
}
