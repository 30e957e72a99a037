import type { RpcCall, RpcCallOptions, RpcClient } from '../ethereum/json-rpc';
import type { RpcReceipt } from '../ethereum/types';
import { priced } from './reads/receipts';
import type { RunningFork } from './reads/running-fork';

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
          const isReceipt = calls[index]?.method === 'eth_getTransactionReceipt';
          if (!isReceipt || outcome.status === 'rejected' || outcome.value === null) return outcome;
          return { ...outcome, value: await priced(awake, outcome.value as RpcReceipt) };
        }),
      );
    });
  }
}
