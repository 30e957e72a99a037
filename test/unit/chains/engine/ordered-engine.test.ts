import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { OrderedEngine } from '../../../../server/chains/engine/ordered-engine';
import { RpcError, type RpcCall, type RpcClient } from '../../../../server/evm/forms/json-rpc';

/** An engine that returns the parameters of a call when the test allows it. Its newest block is 0x66. */
class PausedEngine implements RpcClient {
  readonly asked: string[] = [];
  readonly #pending = new Map<string, () => void>();

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === 'eth_blockNumber') return '0x66';
    await this.#hold(`${method} ${params.join()}`);
    if (method === 'refused') throw new RpcError(-32000, 'refused');
    return params;
  }

  async requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    await this.#hold(calls.map(({ method, params }) => `${method} ${params.join()}`).join(' & '));
    return calls.map(({ params }) => ({ status: 'fulfilled', value: params }));
  }

  /** Answers a call, and waits for the effects. */
  async answer(text: string): Promise<void> {
    const answer = this.#pending.get(text);
    assert.ok(answer, `${text} was not requested`);
    answer();
    await turned();
  }

  #hold(text: string): Promise<void> {
    this.asked.push(text);
    return new Promise((resolve) => this.#pending.set(text, resolve));
  }
}

/** Waits until pending promise callbacks have run. */
async function turned(): Promise<void> {
  await setImmediate();
}

describe('the order of calls to an engine', () => {
  let engine: PausedEngine;
  let ordered: OrderedEngine;
  beforeEach(() => {
    engine = new PausedEngine();
    ordered = new OrderedEngine(engine, 100);
  });
  const read = (account: string, block: string, signal?: AbortSignal): Promise<unknown> =>
    ordered.request('eth_getCode', [account, block], { signal });

  it('runs reads of the newest state concurrently, also by its number', async () => {
    void read('a', 'latest');
    void read('b', 'pending');
    void read('c', '0x66');
    await turned();
    assert.deepEqual(engine.asked, [
      'eth_getCode a,latest',
      'eth_getCode b,pending',
      'eth_getCode c,0x66',
    ]);
  });

  it('sends reads of older state one after the other, concurrently with those of the newest state', async () => {
    void read('a', '0x65');
    await turned();
    void ordered.request('debug_traceTransaction', ['b']);
    void read('c', 'latest');
    await turned();
    assert.deepEqual(engine.asked, ['eth_getCode a,0x65', 'eth_getCode c,latest']);
    await engine.answer('eth_getCode a,0x65');
    assert.equal(engine.asked.at(-1), 'debug_traceTransaction b');
  });

  it('makes changes alone: they wait for reads, and reads for them, but lookups do not wait', async () => {
    void read('a', 'latest');
    void ordered.request('evm_mine', []);
    await turned();
    void read('b', 'latest');
    void ordered.request('eth_getLogs', ['c']);
    await turned();
    assert.deepEqual(engine.asked, ['eth_getCode a,latest', 'eth_getLogs c']);
    await engine.answer('eth_getCode a,latest');
    assert.equal(engine.asked.at(-1), 'evm_mine ');
    await engine.answer('evm_mine ');
    assert.equal(engine.asked.at(-1), 'eth_getCode b,latest');
  });

  it('keeps the turn of a cancelled call until the engine answers', async () => {
    const gone = new AbortController();
    const first = read('a', '0x65', gone.signal);
    const second = read('b', '0x65', gone.signal);
    void read('c', '0x65');
    await turned();
    gone.abort();
    await assert.rejects(first, { kind: 'cancelled' });
    await assert.rejects(second, { kind: 'cancelled' });
    await turned();
    assert.deepEqual(engine.asked, ['eth_getCode a,0x65']);
    await engine.answer('eth_getCode a,0x65');
    assert.equal(engine.asked.at(-1), 'eth_getCode c,0x65', 'the second request was not sent');
  });

  it('ends a call at its deadline', async () => {
    const answer = ordered.request('evm_mine', [], { timeoutMs: 5 });
    await assert.rejects(answer, {
      kind: 'timedOut',
      message: 'the engine did not answer evm_mine within 0.005 s',
    });
  });

  it('executes a list with changes in its order: other calls than reads of the newest state alone', async () => {
    const calls = [
      { method: 'eth_getCode', params: ['a', 'safe'] },
      { method: 'eth_getCode', params: ['b', 'latest'] },
      { method: 'evm_mine', params: ['c'] },
      { method: 'eth_getLogs', params: ['d'] },
      { method: 'anvil_setCode', params: ['e'] },
      { method: 'debug_traceTransaction', params: ['f'] },
      { method: 'eth_call', params: ['g'] },
      { method: 'anvil_setCode', params: ['h'] },
      { method: 'anvil_mine', params: ['i'] },
      { method: 'eth_getCode', params: ['j', 'latest'] },
    ];
    const answers = ordered.requestAll(calls);
    const messages = [
      'eth_getCode a,safe',
      'eth_getCode b,latest & evm_mine c & eth_getLogs d & anvil_setCode e',
      'debug_traceTransaction f',
      'eth_call g',
      'anvil_setCode h',
      'anvil_mine i',
      'eth_getCode j,latest',
    ];
    for (const [index, message] of messages.entries()) {
      await turned();
      assert.deepEqual(engine.asked, messages.slice(0, index + 1));
      await engine.answer(message);
    }
    assert.deepEqual(
      (await answers).map((answer) => answer.status === 'fulfilled' && answer.value),
      calls.map(({ params }) => params),
    );
  });

  it('lets no read between the changes of a list that are sent together', async () => {
    const list = [
      { method: 'eth_getLogs', params: ['a'] },
      { method: 'anvil_setCode', params: ['b'] },
    ];
    void ordered.requestAll(list);
    void read('c', 'latest');
    await turned();
    assert.deepEqual(engine.asked, ['eth_getLogs a & anvil_setCode b']);
  });

  it('sends the reads of a batch together if nothing changes', async () => {
    const answers = ordered.requestAll([
      { method: 'eth_getLogs', params: ['a'] },
      { method: 'eth_getCode', params: ['b', 'latest'] },
    ]);
    await turned();
    await engine.answer('eth_getLogs a & eth_getCode b,latest');
    assert.equal((await answers).length, 2);
  });

  it('continues after a refused call', async () => {
    const refused = ordered.request('refused', []);
    const next = ordered.request('evm_mine', []);
    await turned();
    void engine.answer('refused ');
    await assert.rejects(refused, RpcError);
    await turned();
    await engine.answer('evm_mine ');
    assert.deepEqual(await next, []);
  });
});
