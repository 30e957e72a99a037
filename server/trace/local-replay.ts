import PQueue from 'p-queue';
import { ApiError } from '../api/errors';
import type { OnProgress } from '../api/progress';
import type { MinedTransaction, Network, TraceSource, TransactionTrace } from '../analysis/ports';
import type { Engine } from '../ethereum/engine';
import { RpcError, type RpcCallOptions } from '../ethereum/json-rpc';
import type { AccessListEntry, RpcBlock } from '../ethereum/types';
import { asCallInPlace } from '../replay/as-call';
import { fetchBlock, fetchReceipts } from '../replay/upstream-block';
import { settled } from '../settled';
import { mintOnEngine } from './deposit-mint';
import { startInFrontOf, type EngineAtPositionPorts } from './engine-at-position';
import { foreseenReads, loadState } from './prefetch';
import { quickReplay, type Prefix, type QuickAttempt } from './quick-replay';
import { replayAtPosition } from './replay-attempts';
import { traceExecution } from './trace-execution';
import { WarmEngines } from './warm-engines';

export interface LocalReplayOptions {
  timeoutMs?: number;
  /** Engines at a time; further traces wait. */
  concurrency?: number;
}

/**
 * Traces by executing the transaction again on an engine of ours: one that brings the state along with each call, and where that does not give the
 * receipt one that forks the chain at the parent of the block. Needs an archive node, but no debug API.
 */
export class LocalReplay implements TraceSource {
  private readonly timeoutMs: number;
  private readonly queue: PQueue;
  private readonly engines: WarmEngines;

  constructor(
    private readonly ports: EngineAtPositionPorts,
    options: LocalReplayOptions = {},
  ) {
    this.engines = new WarmEngines(ports.startEngine);
    this.timeoutMs = options.timeoutMs ?? 120_000;
    this.queue = new PQueue({ concurrency: options.concurrency ?? 2 });
  }

  /** Ends the engines that are kept for the next trace. */
  close(): Promise<void> {
    return this.engines.close();
  }

  /** @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TransactionTrace> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    const limited = AbortSignal.any([signal, deadline]);
    try {
      return await this.queue.add(() => this.replay(network, mined, limited, onProgress), {
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
    onProgress: OnProgress | undefined,
  ): Promise<TransactionTrace> {
    if (Number(mined.block.number) === 0) throw lacksData(mined, 'it stands in the first block');
    // Asked while an engine starts.
    const guess = settled(foreseenReads(network.rpc, mined.block, mined.transaction, signal));
    const prefix = settled(loadPrefix(network, mined, signal));
    const onReplay = (done: number, total: number): void =>
      onProgress?.({ stage: 'replaying transactions', done, total });
    const attempt = { network, mined, prefix, guess: guess(), signal, onReplay };
    return (await this.quickly(attempt)) ?? this.onFork(attempt, await prefix(), await guess());
  }

  private async quickly(
    attempt: Omit<QuickAttempt, 'engine'>,
  ): Promise<TransactionTrace | undefined> {
    const { network, mined, signal } = attempt;
    const hardfork = this.ports.hardforkOf(network, mined.block);
    const kind = { chainId: network.chainId, hardfork };
    try {
      return await this.engines.lend(kind, signal, ({ rpc }) =>
        quickReplay({ ...attempt, engine: rpc }),
      );
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      return undefined; // what is wrong is told by the other way
    }
  }

  private async onFork(
    { network, mined, signal, onReplay }: Omit<QuickAttempt, 'engine'>,
    { block, receipts }: Prefix,
    reads: readonly AccessListEntry[],
  ): Promise<TransactionTrace> {
    try {
      return await startInFrontOf(this.ports, network, block, signal, async (engine) => {
        await loadState(engine.rpc, reads, signal);
        return replayAtPosition({
          engine: engine.rpc,
          upstream: network.rpc,
          block,
          mined,
          receipts,
          signal,
          onReplay,
          trace: () => traceOn(engine, block, mined, signal),
        });
      });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw lacksData(mined, error.message, error);
    }
  }
}

/** The block, and the receipts of what stands in front of the transaction. */
async function loadPrefix(
  { rpc }: Network,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<Prefix> {
  const position = Number(mined.transaction.transactionIndex);
  const block = await fetchBlock(rpc, Number(mined.block.number), { signal });
  if (block?.hash !== mined.block.hash) throw lacksData(mined, 'its block was replaced');
  return { block, receipts: await fetchReceipts(rpc, block, position, { signal }) };
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
  await mintOnEngine(engine.rpc, mined.transaction, signal);
  return traceExecution({ engine: engine.rpc, mined, run, signal });
}

const lacksData = ({ transaction }: MinedTransaction, why: string, cause?: unknown): ApiError =>
  new ApiError(
    'upstreamLacksData',
    `transaction ${transaction.hash} cannot be executed again: ${why}`,
    { cause },
  );
