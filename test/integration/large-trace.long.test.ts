import assert from 'node:assert/strict';
import type { BalanceChange, InvocationFlow } from '../../server/api/explorer';
import type { Progress } from '../../server/api/progress';
import { largeTrace, LARGE_HASH, LargeTraceNode } from '../support/large-trace';
import { startService, type TestService } from '../support/service';

const FRAMES = 100_000;
/** Limit of the service's JavaScript heap, in MB. */
const HEAP = 700;

/** For machines that are busy with other work. */
const SLOW_MS = 300_000;

describe('a trace of 100,000 calls', () => {
  let node: LargeTraceNode;
  let service: TestService;
  const { trace, logs } = largeTrace(FRAMES);
  before(async () => {
    node = await LargeTraceNode.start({ trace, logs, frames: FRAMES });
    const chain = { slug: 'large', chainId: 1, nativeSymbol: 'ETH', rpcUrls: [node.url] };
    service = await startService({
      config: { chains: [chain], prices: { source: 'none' } },
      env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` },
    });
  });
  after(async () => {
    await service.stop();
    await node.close();
  });
  const get = (operation: string, init: { signal?: AbortSignal; accept?: string } = {}) =>
    fetch(`${service.url}/v1/explorer/large/transaction/${LARGE_HASH}/${operation}`, {
      headers: { 'Access-Key': service.key, Accept: init.accept ?? 'application/json' },
      ...(init.signal && { signal: init.signal }),
    });
  const isHealthy = async (): Promise<boolean> => (await fetch(`${service.url}/health`)).ok;

  it('is analyzed in bounded memory while other requests are answered', async () => {
    assert.ok(node.size >= 60_000_000, `${node.size} bytes`);
    const response = await get('invocation-flow', { accept: 'text/event-stream' });
    let answered = 0;
    const body = response.text();
    const end = body.then(() => 'end');
    while ((await Promise.race([isHealthy(), end])) === true) answered++;
    assert.ok(answered > 1, `${answered} answers`);
    const events = (await body).trimEnd().split('\n\n');
    const result = events.pop()?.replace('event: result\ndata: ', '') ?? '';
    const { data } = JSON.parse(result) as { data: InvocationFlow };
    assert.equal(Object.keys(data.dataMap).length, 1 + FRAMES + logs.length);
    assert.equal(data.verification.faithful, true);
    const reported = events.map(
      (event) => JSON.parse(event.replace('event: progress\ndata: ', '')) as Progress,
    );
    const decoded = reported.filter(({ stage }) => stage === 'decoding calls');
    assert.ok(decoded.length > 0);
    assert.ok(decoded.every(({ done, total }) => done < total && total === FRAMES + logs.length));
  }).timeout(SLOW_MS);

  it('is read once for both operations', async () => {
    const response = await get('balance-change');
    const { data } = (await response.json()) as { data: BalanceChange };
    assert.equal(node.traced, 1);
    assert.ok(data.balanceChange.length > 0);
  }).timeout(SLOW_MS);

  it('does not affect the service if a client disconnects in the middle of the answer', async () => {
    const leaving = new AbortController();
    const response = await get('invocation-flow', { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    assert.equal(await isHealthy(), true);
  }).timeout(SLOW_MS);
});
