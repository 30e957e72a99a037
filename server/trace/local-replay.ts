import PQueue from 'p-queue';
import { ApiError } from '../api/errors';
import type { OnProgress } from '../api/progress';
import type { MinedTransaction, Network, TraceSource, TransactionTrace } from '../analysis/ports';
import type { RpcClient } from '../ethereum/json-rpc';
import type { AccessListEntry, RpcBlock } from '../ethereum/types';
import { LIMITS } from '../limits';
import type { BlockInParts } from '../replay/upstream-block';
import { settled } from '../settled';
import type { EngineAtPositionPorts } from './engine-at-position';
import { fetchBlockInPartsOf, lacksData, replayExactly } from './exact-replay';
import { foreseenReads, loadState } from './prefetch';
import { quickReplay, type Prefix, type QuickAttempt } from './quick-replay';
import { WarmEngines } from './warm-engines';

export interface LocalReplayOptions {
  timeoutMs?: number;
  /** Concurrent engines; further traces wait. */
  concurrency?: number;
}

/**
 * Traces by executing the transaction again on an engine. The first attempt sends the state with each call and executes a part of the
 * earlier transactions. If that does not produce the receipt, a fork of the chain executes all of them. Needs an archive node, but no debug
 * API.
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
    this.timeoutMs = options.timeoutMs ?? LIMITS.replayTime;
    this.queue = new PQueue({ concurrency: options.concurrency ?? 2 });
  }

  /** Resolves when no trace is pending. */
  idle(): Promise<void> {
    return this.queue.onIdle();
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
    // Requested while an engine starts.
    const guess = settled(foreseenReads(network.rpc, mined.block, mined.transaction, signal));
    const parts = settled(loadParts(this.ports, network, mined, signal));
    const prefix = async (): Promise<Prefix> => {
      const { block, receipts } = await parts();
      return { block, receipts: await receipts() };
    };
    const block = async (): Promise<RpcBlock> => (await parts()).block;
    const onReplay = (done: number, total: number): void =>
      onProgress?.({ stage: 'replaying transactions', done, total });
    const attempt = { network, mined, block, prefix, guess: guess(), signal, onReplay };
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
      return undefined; // the replay on a fork reports the error
    }
  }

  private async onFork(
    { network, mined, signal, onReplay }: Omit<QuickAttempt, 'engine'>,
    { block, receipts }: Prefix,
    reads: readonly AccessListEntry[],
  ): Promise<TransactionTrace> {
    const prepare = (engine: RpcClient): Promise<void> => loadState(engine, reads, signal);
    const replay = { network, mined, block, receipts, signal, onReplay, prepare };
    return replayExactly(this.ports, replay);
  }
}

/** The block, and the receipts of its earlier transactions. */
function loadParts(
  ports: EngineAtPositionPorts,
  network: Network,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<BlockInParts> {
  const position = Number(mined.transaction.transactionIndex);
  const hardfork = ports.hardforkOf(network, mined.block);
  const rules = { chainId: network.chainId, hardfork };
  return fetchBlockInPartsOf(network, mined, position, { signal, rules });
}
