import PQueue from 'p-queue';
import { CHANGES_TRACER } from '../analysis/execution-state';
import type { MinedTransaction, Network } from '../analysis/ports';
import type { RawStateDiff, StateDiffSource } from '../analysis/state-diff';
import { ApiError } from '../api/errors';
import type { OnProgress } from '../api/progress';
import { RpcError } from '../ethereum/json-rpc';
import { fetchBlock } from '../replay/upstream-block';
import { changesOfReplay, changesOnEngine } from './blob-price';
import { mintOnEngine } from './deposit-mint';
import { withEngineAt, type EngineAtPositionPorts } from './engine-at-position';
import { asCallInPlace } from '../replay/as-call';

const DEFAULT_TIMEOUT_MS = 120_000;

/** State differences by the node's debug API, else by executing the transaction again on an engine of ours. */
export class StateDifferences implements StateDiffSource {
  private readonly queue = new PQueue({ concurrency: 2 });

  constructor(
    private readonly ports: EngineAtPositionPorts,
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
  ) {}

  /** @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  async diff(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<RawStateDiff> {
    const { hash } = mined.transaction;
    const options = { signal, timeoutMs: this.timeoutMs };
    try {
      const answer = await network.rpc.request(
        'debug_traceTransaction',
        [hash, CHANGES_TRACER],
        options,
      );
      const changes = network.replayable ? answer : changesOnEngine(mined, answer);
      return { answer: changes, method: 'debug' };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (!network.replayable) throw lacksDiff(hash, error);
    }
    const deadline = AbortSignal.timeout(this.timeoutMs);
    const limited = AbortSignal.any([signal, deadline]);
    try {
      const replay = (): Promise<unknown> => this.replayed(network, mined, limited, onProgress);
      const answer = await this.queue.add(replay, { signal: limited, throwOnTimeout: true });
      return { answer, method: 'replay' };
    } catch (error) {
      if (error instanceof RpcError) throw lacksDiff(hash, error);
      if (signal.aborted || !deadline.aborted) throw error;
      const what = `executing ${hash} again for its state difference`;
      throw new ApiError('timedOut', `${what} took longer than ${this.timeoutMs / 1000} s`, {
        cause: error,
      });
    }
  }

  private async replayed(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress: OnProgress | undefined,
  ): Promise<unknown> {
    const block = await fetchBlock(network.rpc, Number(mined.block.number), { signal });
    if (block?.hash !== mined.block.hash) {
      throw new ApiError(
        'upstreamLacksData',
        `the block of transaction ${mined.transaction.hash} was replaced`,
      );
    }
    const position = Number(mined.transaction.transactionIndex);
    const context = block.mixHash ? { blockOverrides: { random: block.mixHash } } : {};
    const point = { network, block, position };
    return withEngineAt(this.ports, point, { signal, onProgress }, async ({ rpc }) => {
      await mintOnEngine(rpc, mined.transaction, signal);
      const answer = await rpc.request(
        'debug_traceCall',
        [asCallInPlace(mined.transaction), 'latest', { ...CHANGES_TRACER, ...context }],
        { signal, timeoutMs: this.timeoutMs },
      );
      return changesOfReplay(rpc, mined, answer, signal);
    });
  }
}

const lacksDiff = (hash: string, cause: RpcError): ApiError =>
  new ApiError(
    'upstreamLacksData',
    `the state difference of transaction ${hash} cannot be had: ${cause.message}`,
    { cause },
  );
