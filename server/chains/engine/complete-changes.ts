import { ApiError } from '../../api/errors';
import type { EngineParameters, FailedReads } from '../../evm/forms/engine';
import { IncompleteChangeError } from '../../evm/forms/incomplete-change-error';
import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { turnOf } from './call-turn';

type Outcome = PromiseSettledResult<unknown>;

/**
 * Fails the changes during which the engine could not read its chain. Anvil then leaves transactions out of a block without an error, and
 * reports other causes than the true one. Changes must not run at the same time as other calls that read the chain.
 */
export class CompleteChanges implements RpcClient {
  constructor(
    private readonly engine: RpcClient,
    private readonly upstream: EngineParameters['upstream'],
  ) {}

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const [outcome] = await this.requestAll([{ method, params }]);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }

  /** If one change of several is incomplete, all calls fail: the engine differs from what its user knows. */
  async requestAll(calls: readonly RpcCall[]): Promise<Outcome[]> {
    const { failedReads, blockNumber, name } = this.upstream ?? {};
    const before = failedReads?.count;
    const outcomes = await this.engine.requestAll(calls);
    if (!failedReads || failedReads.count === before) return outcomes;
    const isChange = calls.map((call) => turnOf(call, blockNumber).kind === 'change');
    const failure = readFailure(failedReads, name);
    if (outcomes.some(({ status }, i) => isChange[i] && status === 'fulfilled')) {
      const reason = new IncompleteChangeError(failure);
      return outcomes.map(() => ({ status: 'rejected', reason }));
    }
    return outcomes.map((outcome, i) =>
      isChange[i] && outcome.status === 'rejected' && outcome.reason instanceof RpcError
        ? { status: 'rejected', reason: failure }
        : outcome,
    );
  }
}

/** The error for an engine that could not read its chain. @param chain its name in the message */
export function readFailure({ last }: FailedReads, chain = 'its chain'): ApiError {
  if (last instanceof ApiError && last.kind !== 'internal') return last;
  const reason = last instanceof RpcError ? ` (${last.message})` : '; try again';
  return new ApiError('upstreamUnreachable', `the fork's engine could not read ${chain}${reason}`);
}
