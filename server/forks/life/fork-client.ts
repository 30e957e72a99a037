import type { RpcCall, RpcCallOptions, RpcClient } from '../../evm/forms/json-rpc';
import type { RpcReceipt } from '../../evm/forms/types';
import { withOpStackFees } from '../reads/op-stack-traces';
import { priced } from '../reads/receipts';
import type { RunningFork } from '../reads/running-fork';

/** A fork as a node that is always available: each request wakes it, and keeps it awake until it is answered. */
export class ForkClient implements RpcClient {
  constructor(
    private readonly fork: {
      use<T>(task: (awake: RunningFork) => Promise<T>): Promise<T>;
    },
  ) {}

  async request(
    method: string,
    params: readonly unknown[],
    options?: RpcCallOptions,
  ): Promise<unknown> {
    const [outcome] = await this.requestAll([{ method, params }], options);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return this.fork.use(async (awake) => {
      const outcomes = await awake.engine.requestAll(calls, options);
      return Promise.all(
        outcomes.map(async (outcome, index) => {
          const call = calls[index];
          if (!call || outcome.status === 'rejected' || outcome.value === null) return outcome;
          return { ...outcome, value: await corrected(awake, call, outcome.value) };
        }),
      );
    });
  }
}

/** Adds to the engine's answer what it lacks. */
function corrected(awake: RunningFork, { method, params }: RpcCall, answer: unknown): unknown {
  if (method === 'eth_getTransactionReceipt') return priced(awake, answer as RpcReceipt);
  if (method !== 'debug_traceTransaction') return answer;
  const [hash, options] = params;
  return withOpStackFees(awake, hash, options, answer);
}
