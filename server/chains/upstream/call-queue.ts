import type { RpcCall } from '../../evm/forms/json-rpc';
import { currentTrace, runAs, type RequestTrace } from '../../kernel/requests/request-trace';
import type { HttpRpcClient } from './http-rpc-client';

interface Waiting {
  call: RpcCall;
  /** The request that the call is for. */
  trace: RequestTrace | undefined;
  resolve: (answer: unknown) => void;
  reject: (reason: unknown) => void;
}

/**
 * Sends calls that arrive at the same time as one batch. When the endpoint has its maximum of requests under way, calls wait and the next
 * batch becomes longer. A slow endpoint therefore receives fewer requests. A batch carries the trace of its first call.
 */
export class CallQueue {
  #waiting: Waiting[] = [];
  #running = 0;
  #scheduled = false;

  constructor(private readonly client: HttpRpcClient) {}

  /** Rejects as `RpcClient.request` does. */
  send(call: RpcCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, trace: currentTrace(), resolve, reject });
      this.#schedule();
    });
  }

  /** Dispatches after the calls that arrive from other sockets in the same turn of the event loop. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#waiting.length > 0 && this.#running < this.client.capacity) {
        void this.#dispatch(this.#waiting.splice(0, this.client.batchSize));
      }
    });
  }

  async #dispatch(batch: readonly Waiting[]): Promise<void> {
    this.#running++;
    try {
      const calls = batch.map(({ call }) => call);
      const outcomes = await runAs(batch[0]?.trace, () => this.client.requestAll(calls));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome?.reason);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running--;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }
}
