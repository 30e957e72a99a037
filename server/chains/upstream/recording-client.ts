import { neverAborted } from '../../kernel/async/never-aborted';
import {
  settledOneByOne,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';
import { KeptAnswers, keptError, outcomeOf } from './kept-answers';

/** Passes calls on to a chain's node, and keeps what it answered. What was asked before is answered the same again, so the head stays. */
export class RecordingClient implements RpcClient {
  /** @param kept receives the answers */
  constructor(
    private readonly upstream: RpcClient,
    readonly kept = new KeptAnswers(),
  ) {}

  async request(
    method: string,
    params: readonly unknown[],
    options: RpcCallOptions = {},
  ): Promise<unknown> {
    const call = { method, params };
    const known = this.kept.get(call);
    if (known) return outcomeOf(known);
    (options.signal ?? neverAborted()).throwIfAborted();
    try {
      const result = await this.upstream.request(method, params, options);
      this.kept.add({ ...call, outcome: { result } });
    } catch (error) {
      const outcome = keptError(error);
      if (!outcome) throw error;
      this.kept.add({ ...call, outcome });
    }
    const outcome = this.kept.get(call);
    if (!outcome) throw new Error('an answer that was kept is there');
    return outcomeOf(outcome);
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls, options);
  }
}
