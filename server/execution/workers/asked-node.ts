import { resultOf, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { Read, ReadResult } from './messages';

/** A call to the chain's node failed; the service has the error. */
export class FailedRead extends Error {
  override readonly name = 'FailedRead';

  constructor(readonly failure: number) {
    super('a call to the node failed');
  }
}

/** The chain's node as a worker thread reaches it: the service asks it. What is asked in one turn of the event loop is one message. */
export class AskedNode implements RpcClient {
  readonly #open = new Map<number, (outcomes: PromiseSettledResult<unknown>[]) => void>();
  #next: Read[] = [];
  #last = 0;

  constructor(private readonly ask: (reads: readonly Read[]) => void) {}

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const [outcome] = await this.requestAll([{ method, params }]);
    return outcome && resultOf(outcome);
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return new Promise((resolve) => {
      const id = ++this.#last;
      this.#open.set(id, resolve);
      if (this.#next.push({ id, calls }) === 1) this.#sendInTurn();
    });
  }

  answer(id: number, results: readonly ReadResult[]): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.(
      results.map((result) =>
        'value' in result
          ? { status: 'fulfilled', value: result.value }
          : { status: 'rejected', reason: new FailedRead(result.failure) },
      ),
    );
  }

  #sendInTurn(): void {
    setImmediate(() => {
      const reads = this.#next;
      this.#next = [];
      this.ask(reads);
    });
  }
}
