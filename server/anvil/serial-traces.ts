import type { RpcCall, RpcCallOptions, RpcClient } from '../ethereum/json-rpc';
import { SerialQueue } from '../serial-queue';

/**
 * Has an engine trace one transaction after the other. Anvil 1.5.1, on which snapshots were reverted, sooner or later answers nothing
 * any more when several are traced at the same time; other reads may go along.
 */
export class SerialTraces implements RpcClient {
  readonly #queue = new SerialQueue();

  constructor(private readonly engine: RpcClient) {}

  request(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown> {
    const ask = (): Promise<unknown> => this.engine.request(method, params, options);
    return isTrace({ method }) ? this.#queue.add(ask) : ask();
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    if (!calls.some(isTrace)) return this.engine.requestAll(calls, options);
    return Promise.allSettled(
      calls.map(({ method, params }) => this.request(method, params, options)),
    );
  }
}

const isTrace = ({ method }: { method: string }): boolean => method === 'debug_traceTransaction';
