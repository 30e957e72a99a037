import PQueue from 'p-queue';
import type { Hardfork } from '../api/config';
import { ApiError } from '../api/errors';
import type { MinedTransaction, Network, TraceSource, TransactionTrace } from '../analysis/ports';
import { CHANGES_TRACER, readExecutionState, TOUCHED_TRACER } from '../analysis/execution-state';
import { readCallTrace } from '../analysis/read-call-trace';
import { traceDifference } from '../analysis/verify-trace';
import type { Engine, StartEngine } from '../ethereum/engine';
import { RpcError, type RpcCallOptions } from '../ethereum/json-rpc';
import type { RpcBlock, RpcBlockHeader } from '../ethereum/types';
import { asCallInPlace } from '../replay/as-call';
import { fetchBlock, fetchReceipts } from '../replay/upstream-block';
import { changesOfReplay } from './blob-price';
import { CALL_TRACER } from './debug-api';
import { foreseenReads, loadState } from './prefetch';
import { replayAtPosition } from './replay-attempts';
import { hasFailedFrame, LOG_TRACER, LOG_TRACER_TIMEOUT_MS } from './rolled-back-logs';

/** Deadline of what only proves balances, in milliseconds. */
const STATE_TIMEOUT_MS = 5_000;

export interface LocalReplayPorts {
  startEngine: StartEngine;
  /** Opens an address at which an engine reads the chain's state: the gateway, never the user's endpoint. */
  openUpstream(network: Network): Promise<{ url: string; close(): void }>;
  /** Rules in force in a block of the chain. */
  hardforkOf(network: Network, block: RpcBlockHeader): Hardfork;
}

export interface LocalReplayOptions {
  timeoutMs?: number;
  /** Engines at a time; further traces wait. */
  concurrency?: number;
}

/** Traces by executing the block again on an engine of ours that stands at its parent. Needs an archive node, but no debug API. */
export class LocalReplay implements TraceSource {
  private readonly timeoutMs: number;
  private readonly queue: PQueue;

  constructor(
    private readonly ports: LocalReplayPorts,
    options: LocalReplayOptions = {},
  ) {
    this.timeoutMs = options.timeoutMs ?? 120_000;
    this.queue = new PQueue({ concurrency: options.concurrency ?? 2 });
  }

  /** @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
  ): Promise<TransactionTrace> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    const limited = AbortSignal.any([signal, deadline]);
    try {
      return await this.queue.add(() => this.replay(network, mined, limited), {
        signal: limited,
        throwOnTimeout: true,
      });
    } catch (error) {
      if (signal.aborted || !deadline.aborted) throw error;
      throw new ApiError(
        'timedOut',
        `the replay of ${mined.transaction.hash} took longer than ${this.timeoutMs / 1000} s`,
        { cause: error },
      );
    }
  }

  private async replay(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
  ): Promise<TransactionTrace> {
    const number = Number(mined.block.number);
    if (number === 0) throw lacksData(mined, 'it stands in the first block');
    const block = await fetchBlock(network.rpc, number, { signal });
    if (block?.hash !== mined.block.hash) throw lacksData(mined, 'its block was replaced');
    const upstream = await this.ports.openUpstream(network);
    const position = Number(mined.transaction.transactionIndex);
    // Asked while the engine starts.
    const receipts = settled(fetchReceipts(network.rpc, block, position, { signal }));
    const reads = settled(foreseenReads(network.rpc, block, mined.transaction, signal));
    try {
      const engine = await this.ports.startEngine(
        {
          upstream: { url: upstream.url, blockNumber: number - 1 },
          chainId: network.chainId,
          hardfork: this.ports.hardforkOf(network, block),
        },
        signal,
      );
      try {
        await loadState(engine.rpc, await reads(), signal);
        return await replayAtPosition({
          engine: engine.rpc,
          upstream: network.rpc,
          block,
          mined,
          receipts: await receipts(),
          signal,
          trace: () => traceOn(engine, block, mined, signal),
        });
      } finally {
        await engine.stop();
      }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw lacksData(mined, error.message, error);
    } finally {
      upstream.close();
    }
  }
}

/** A promise that may fail before anybody waits for it. */
function settled<T>(promise: Promise<T>): () => Promise<T> {
  promise.catch(() => undefined);
  return () => promise;
}

/** As a call the transaction sees the block's real PREVRANDAO, which no mined one can be given. */
async function traceOn(
  engine: Engine,
  block: RpcBlock,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<TransactionTrace> {
  const call = asCallInPlace(mined.transaction);
  const context = block.mixHash ? { blockOverrides: { random: block.mixHash } } : {};
  const run = (tracer: object, options: RpcCallOptions): Promise<unknown> =>
    engine.rpc.request('debug_traceCall', [call, 'latest', { ...tracer, ...context }], options);
  const tried = async (tracer: object, timeoutMs: number): Promise<unknown> => {
    try {
      return await run(tracer, { signal, timeoutMs });
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  };
  const answer = await run(CALL_TRACER, { signal });
  const trace = readCallTrace(answer, mined);
  if (traceDifference({ ...trace, method: 'replay' }, mined.receipt) !== undefined) {
    return { ...trace, method: 'replay' };
  }
  const rolledBack = hasFailedFrame(trace.root)
    ? await tried(LOG_TRACER, LOG_TRACER_TIMEOUT_MS)
    : undefined;
  const touched = await tried(TOUCHED_TRACER, STATE_TIMEOUT_MS);
  const changes = await tried(CHANGES_TRACER, STATE_TIMEOUT_MS);
  const paid = changes && (await changesOfReplay(engine.rpc, mined, changes, signal));
  const state = readExecutionState(touched, paid);
  return {
    ...(rolledBack === undefined ? trace : readCallTrace(answer, mined, rolledBack)),
    method: 'replay',
    ...(state && { state }),
  };
}

const lacksData = ({ transaction }: MinedTransaction, why: string, cause?: unknown): ApiError =>
  new ApiError(
    'upstreamLacksData',
    `transaction ${transaction.hash} cannot be executed again: ${why}`,
    { cause },
  );
