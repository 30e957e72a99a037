import { RpcError, type RpcCall, type RpcClient } from '../../server/evm/forms/json-rpc';

/** Answers of a node by method. The node answers with the error that a handler throws. Methods without a handler do not exist. */
export type Handlers = Record<string, (...params: never[]) => unknown>;

/** A node with scripted answers. `calls` lists the calls that it received. */
export class ScriptedRpc implements RpcClient {
  readonly calls: RpcCall[] = [];

  constructor(private readonly handlers: Handlers) {}

  methods(): string[] {
    return this.calls.map(({ method }) => method);
  }

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    this.calls.push({ method, params });
    const handler = this.handlers[method];
    if (!handler) throw new RpcError(-32601, `the method ${method} does not exist`);
    await Promise.resolve();
    return handler(...(params as never[]));
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return Promise.allSettled(calls.map(({ method, params }) => this.request(method, params)));
  }
}
