import type { RpcCall, RpcCallOptions, RpcClient } from '../ethereum/json-rpc';

/** A fork as a node that is always there: each request wakes it, and keeps it awake until it is answered. */
export class ForkClient implements RpcClient {
  constructor(
    private readonly fork: {
      use<T>(task: (awake: { engine: RpcClient }) => Promise<T>): Promise<T>;
    },
  ) {}

  request(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown> {
    return this.fork.use(({ engine }) => engine.request(method, params, options));
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return this.fork.use(({ engine }) => engine.requestAll(calls, options));
  }
}
