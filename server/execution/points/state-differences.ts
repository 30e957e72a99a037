import type { CallFrame } from '../../analysis/call-frame';
import { completeChanges, needsTouched } from '../../analysis/complete-changes';
import { CHANGES_TRACER, TOUCHED_TRACER } from '../../analysis/execution-state';
import type { MinedTransaction, Network } from '../../analysis/ports';
import type { RawStateDiff, StateDiffSource } from '../../analysis/state-diff';
import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import { requestEach, RpcError } from '../../ethereum/json-rpc';
import { LIMITS } from '../../api/limits';
import { fetchBlock } from '../prefix/upstream-block';
import { changesOfReplay, changesOnEngine } from '../tracing/replay-fees';
import { mintOnEngine } from '../tracing/deposit-mint';
import { withDeadline } from '../../async/with-deadline';
import type { Executions } from '../engines/executions';
import { withEngineAt, type EngineAtPositionPorts } from '../engines/engine-at-position';
import { asCallInPlace } from '../prefix/transaction-to-call';
import { blockOverrides } from '../prefix/execute-as-call';

/** State differences from the node's debug API, else by executing the transaction again on an engine. */
export class StateDifferences implements StateDiffSource {
  constructor(
    private readonly ports: EngineAtPositionPorts,
    private readonly executions: Executions,
    private readonly timeoutMs = LIMITS.replayTime,
  ) {}

  /** @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  async diff(
    network: Network,
    mined: MinedTransaction,
    root: CallFrame,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<RawStateDiff> {
    const { hash } = mined.transaction;
    const options = { signal, timeoutMs: this.timeoutMs };
    try {
      const [answer, touched] = await requestEach(
        network.rpc,
        tracersFor(root).map((tracer) => ({
          method: 'debug_traceTransaction',
          params: [hash, tracer],
        })),
        options,
      );
      const changes = network.replayable ? answer : changesOnEngine(mined, answer);
      return { answer: completeChanges(changes, touched, root, mined), method: 'debug' };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (!network.replayable) throw lacksDiff(hash, error);
    }
    const what = `executing ${hash} again for its state difference`;
    return withDeadline({ signal, timeoutMs: this.timeoutMs, what }, async (limited) => {
      try {
        const replay = (): Promise<unknown> =>
          this.replayed(network, mined, root, limited, onProgress);
        return { answer: await this.executions.add(replay, limited), method: 'replay' };
      } catch (error) {
        throw error instanceof RpcError ? lacksDiff(hash, error) : error;
      }
    });
  }

  private async replayed(
    network: Network,
    mined: MinedTransaction,
    root: CallFrame,
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
    const context = { blockOverrides: blockOverrides(block) };
    const point = { network, block, position };
    return withEngineAt(this.ports, point, { signal, onProgress }, async ({ rpc }) => {
      await mintOnEngine(rpc, mined.transaction, signal);
      const call = asCallInPlace(mined.transaction);
      const [top, answer, touched] = await requestEach(
        rpc,
        [TOP_CALL_TRACER, ...tracersFor(root)].map((tracer) => ({
          method: 'debug_traceCall',
          params: [call, 'latest', { ...tracer, ...context }],
        })),
        { signal, timeoutMs: this.timeoutMs },
      );
      const gas = BigInt((top as { gasUsed: Hex }).gasUsed);
      const changes = await changesOfReplay(rpc, mined, answer, gas, signal);
      return completeChanges(changes, touched, root, mined);
    });
  }
}

const TOP_CALL_TRACER = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } } as const;

const tracersFor = (root: CallFrame): object[] =>
  needsTouched(root) ? [CHANGES_TRACER, TOUCHED_TRACER] : [CHANGES_TRACER];

const lacksDiff = (hash: string, cause: RpcError): ApiError =>
  new ApiError(
    'upstreamLacksData',
    `the state difference of transaction ${hash} is not available: ${cause.message}`,
    { cause },
  );
