import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { ProjectDetail } from '../../server/api/project';
import { call, reply } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { TestClock } from '../support/test-clock';
import { TestForks, PROJECT } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const A = `0x${'aa'.repeat(20)}`;
const FORKS = 5;
const ENGINES = 2;
const TURNS = 4;
/** Time that an answer takes, by the clock of the turns. */
const ANSWER_MS = 10;
/** After this time, a fork without requests gives its engine to one that waits. */
const UNUSED_MS = 1_000;
/** Clients of the fork whose engine is busy: one of them always has a request under way. */
const CLIENTS = 4;

describe('more forks than engines, with continuous requests to each', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let service: TestForks;
  /** It is at the number of answers, so that turns are the same on every machine. */
  const clock = new TestClock();
  const stop = new AbortController();

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.mine();
    service = await TestForks.open(engines, ethChain(chain.engine.url), {
      engines: { maxRunning: ENGINES, sliceMs: 150, now: () => clock.now, after: clock.after },
    });
  });
  after(async () => {
    await service.close();
    await engines.close();
  });

  it('take turns in order, and lose no change', async () => {
    const forks: Fork[] = [];
    for (let i = 0; i < FORKS; i++) {
      forks.push(await service.create({ height: '0x1' }));
      clock.advance(UNUSED_MS);
    }
    service.changes.length = 0;
    const turns: string[] = [];
    const readTurns = (): void => {
      for (const change of service.changes.splice(0)) {
        if (change.type !== 'fork' || change.state !== 'running') continue;
        turns.push(change.forkId);
        if (forks.every(({ forkId }) => count(forkId) >= TURNS)) stop.abort();
      }
    };
    const count = (forkId: string): number => turns.filter((one) => one === forkId).length;
    const sent = await Promise.all(
      forks.map(async ({ rpc }) => {
        let answered = 0;
        for (; !stop.signal.aborted; answered++) {
          await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
          clock.advance(ANSWER_MS);
          readTurns();
        }
        clock.advance(UNUSED_MS); // for those that still wait for their turn
        return answered;
      }),
    );
    for (let end = 1; end <= turns.length; end++) {
      const soFar = turns.slice(0, end);
      const counts = forks.map(({ forkId }) => soFar.filter((one) => one === forkId).length);
      const spread = Math.max(...counts) - Math.min(...counts);
      assert.ok(spread <= 2, `a fork had ${spread} turns more than another: ${counts.join()}`);
    }
    const executed: number[] = [];
    for (const { rpc } of forks) {
      clock.advance(UNUSED_MS);
      executed.push(Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest')));
    }
    assert.deepEqual(executed, sent);
    assert.equal(
      service.counted.reduce((sum, [, executions]) => sum + executions, 0),
      sent.reduce((sum, one) => sum + one, 0),
    );
    await service.forks.deleteAllOf(PROJECT);
  });
});

describe('a service whose engines are all busy', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await startService({
      args: ['--sandbox'],
      config: { engine: { maxRunning: 1, maxWaiting: 1 } },
    });
  });
  after(() => service.stop());

  it('refuses a fork if too many wait, reports when to ask again, and counts its answers', async () => {
    const create = (name: string): Promise<Fork> => createFork(service, { chainId: 31337, name });
    const [busy, ...others] = [await create('a'), await create('b'), await create('c')];
    for (const { rpc } of [...others, busy]) {
      await call(rpc, 'anvil_setBalance', A, '0xde0b6b3a7640000');
    }
    const send = (rpc: string) => reply(rpc, 'eth_sendTransaction', { from: A, to: A });
    let answered = 1;
    const over = new AbortController();
    assert.equal((await send(busy.rpc)).error, undefined);
    const asking = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (; !over.signal.aborted; answered++) assert.ok((await send(busy.rpc)).result);
      }),
    );
    // One of the two waits for a turn of two seconds; the other is refused immediately.
    const asked = others.map(async ({ rpc }) => {
      const response = await fetch(rpc, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_sendTransaction',
          params: [{ from: A, to: A }],
        }),
      });
      const retryAfter = response.headers.get('retry-after');
      return { retryAfter, ...((await response.json()) as { error?: object; result?: string }) };
    });
    const refused = await Promise.race(asked);
    const message =
      'all engines are busy (engine.maxRunning: 1), and the queue is full (engine.maxWaiting: 1); try again in 4 s';
    assert.equal(refused.retryAfter, '4');
    assert.deepEqual(refused.error, { code: -32005, message, data: { retryAfter: 4 } });
    const project = `/v1/project/${await localProject(service)}`;
    const created = await service.request('POST', `${project}/fork`, {
      body: { chainId: 31337, name: 'd' },
    });
    assert.deepEqual([created.status, created.code, created.message], [503, 50302, message]);
    assert.equal(created.headers.get('retry-after'), '4');
    const forks = await service.request<Fork[]>('GET', `${project}/forks`);
    assert.deepEqual(
      forks.data.map(({ name, failure }) => [name, failure]),
      ['a', 'b', 'c'].map((name) => [name, undefined]),
    );
    const outcomes = await Promise.all(asked);
    assert.equal(outcomes.filter(({ result }) => result !== undefined).length, 1);
    over.abort();
    await asking;
    const { data } = await service.request<ProjectDetail>('GET', project);
    assert.equal(data.stats.monthlyTransactionQuantity, answered + 1);
  });
});
