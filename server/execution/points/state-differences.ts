import type { CallFrame } from '../../analysis/call-frame';
import { completeChanges, needsTouched } from '../../analysis/state/complete-changes';
import { CHANGES_TRACER, TOUCHED_TRACER } from '../../analysis/execution-state';
import type {
  MinedTransaction,
  Network,
  RawStateDiff,
  StateDiffSource,
} from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { changesOfReplay, changesOnEngine } from '../tracing/replay-fees';
import { mintOnEngine } from '../tracing/deposit-mint';
import { withDeadline } from '../../kernel/async/with-deadline';
import type { TransactionTracer } from '../engines/transaction-tracer';

/** State differences from the node's debug API, else by executing the transaction again on an engine. */
export class StateDifferences implements StateDiffSource {
  constructor(
    private readonly tracer: TransactionTracer,
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
      const node = this.tracer.node(network, mined);
      const [answer, touched] = await node.run(tracersFor(root), options);
      const changes = network.replayable ? answer : changesOnEngine(mined, answer);
      return { answer: completeChanges(changes, touched, root, mined), method: 'debug' };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (!network.replayable) throw lacksDiff(hash, error);
    }
    const what = `executing ${hash} again for its state difference`;
    return withDeadline({ signal, timeoutMs: this.timeoutMs, what }, async (limited) => {
      try {
        const answer = await this.#replayed(network, mined, root, limited, onProgress);
        return { answer, method: 'replay' };
      } catch (error) {
        throw error instanceof RpcError ? lacksDiff(hash, error) : error;
      }
    });
  }

  #replayed(
    network: Network,
    mined: MinedTransaction,
    root: CallFrame,
    signal: AbortSignal,
    onProgress: OnProgress | undefined,
  ): Promise<unknown> {
    return this.tracer.onEngine(network, mined, { signal, onProgress }, async ({ rpc, run }) => {
      await mintOnEngine(rpc, mined.transaction, signal);
      const tracers = [TOP_CALL_TRACER, ...tracersFor(root)];
      const options = { signal, timeoutMs: this.timeoutMs };
      const [top, answer, touched] = await run(tracers, options);
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
