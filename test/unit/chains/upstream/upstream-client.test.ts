import assert from 'node:assert/strict';
import { AnswerCache } from '../../../../server/chains/upstream/answer-cache';
import { UpstreamClient } from '../../../../server/chains/upstream/upstream-client';
import { ClientSuite, fails } from './http-client-support';
import { each } from './http-node';

const HASH = `0x${'ab'.repeat(32)}`;
const TIMEOUT = { timeoutMs: 5_000 };

describe('long calls to a chain', () => {
  const suite = new ClientSuite();
  afterEach(() => suite.close());

  /** A chain whose newest block, 9, is safe. It never answers the methods in `hangs`. */
  async function chain(...hangs: string[]) {
    const asked: string[] = [];
    const node = await suite.node((message) => {
      const messages = Array.isArray(message) ? message : [message];
      for (const { method } of messages) if (method !== 'eth_getBlockByNumber') asked.push(method);
      if (messages.some(({ method }) => hangs.includes(method))) return undefined;
      return each(message, ({ method }) => ({
        result: method === 'eth_getBlockByNumber' ? { number: '0x9', hash: HASH } : `of ${method}`,
      }));
    });
    const http = suite.client([node.url]);
    return {
      node,
      asked,
      client: new UpstreamClient({ chain: 'test', http, cache: new AnswerCache() }),
    };
  }

  it('are sent once for concurrent callers, and again later', async () => {
    const { client, asked } = await chain();
    const trace = () => client.request('debug_traceTransaction', [HASH, {}], TIMEOUT);
    assert.deepEqual(await Promise.all([trace(), trace(), trace()]), [
      'of debug_traceTransaction',
      'of debug_traceTransaction',
      'of debug_traceTransaction',
    ]);
    assert.equal(asked.length, 1);
    await trace();
    assert.equal(asked.length, 2);
  });

  it('are answered from the cache', async () => {
    const { client, asked } = await chain();
    const call = ['eth_createAccessList', [{ to: HASH.slice(0, 42) }, '0x3']] as const;
    const first = await client.request(...call, TIMEOUT);
    assert.equal(await client.request(...call, TIMEOUT), first);
    assert.equal(await client.request(...call), first);
    assert.deepEqual(asked, ['eth_createAccessList']);
  });

  it('end at the node when the last waiting caller cancels', async () => {
    const { client, node } = await chain('debug_traceTransaction');
    const [one, other] = [new AbortController(), new AbortController()];
    const trace = ({ signal }: AbortController) =>
      client.request('debug_traceTransaction', [HASH, {}], { ...TIMEOUT, signal });
    const cancelled = (answer: Promise<unknown>) =>
      assert.rejects(answer, fails('cancelled', /cancelled/));
    const [first, second] = [cancelled(trace(one)), cancelled(trace(other))];
    const { cut } = await node.hanging;
    let isCut = false;
    void cut.then(() => (isCut = true));
    one.abort();
    await first;
    // A round trip to the node: a cancellation would have arrived by then.
    await client.request('web3_clientVersion', []);
    assert.equal(isCut, false);
    other.abort();
    await second;
    await cut;
  });

  it('end at their deadline', async () => {
    const { client } = await chain('debug_traceTransaction');
    await assert.rejects(
      client.request('debug_traceTransaction', [HASH, {}], { timeoutMs: 50 }),
      fails('timedOut', /did not answer debug_traceTransaction within 0.05 s/),
    );
  });
});
