import assert from 'node:assert/strict';
import type { Activity } from '../../../../server/api/activity';
import { ApiError } from '../../../../server/api/errors';
import type { ApiClient } from '../../../../extension/model/api-client';
import { KeptWatches } from '../../../../extension/watch/kept-watches';
import type { WatchNews } from '../../../../extension/watch/watch-news';
import { Watcher } from '../../../../extension/watch/watcher';
import { activity, addressWatch, BOB, FORK, hash, memory, transaction } from './support';

interface Timer {
  run: () => void;
  ms: number;
}

/** A watcher of a service with the chain `eth`, a public chain and a fork. */
function setUp(store = memory()) {
  const facts = {
    isServed: true,
    forkState: 'running',
    answer: activity(10),
    fails: undefined as Error | undefined,
    duringRequest: undefined as (() => void) | undefined,
  };
  const calls: [string, unknown][] = [];
  const news: WatchNews[] = [];
  const timers = new Set<Timer>();
  const client = {
    call: async (route: string, request: { body?: unknown }): Promise<unknown> => {
      calls.push([route, request.body]);
      await Promise.resolve();
      if (route === 'listChains') return [{ slug: 'eth', hasOwnEndpoint: true }, { slug: 'base' }];
      if (route === 'getFork' && facts.forkState !== 'deleted') return { state: facts.forkState };
      if (route === 'getFork') throw new ApiError('forkNotFound', 'fork x does not exist');
      facts.duringRequest?.();
      if (facts.fails) throw facts.fails;
      return facts.answer;
    },
  } as unknown as ApiClient;
  const log = { debug: () => undefined, warn: () => undefined, info: () => undefined };
  const watcher = new Watcher({
    client,
    log: log as never,
    now: () => 1_000,
    kept: new KeptWatches(store, () => 'local'),
    isServed: () => facts.isServed,
    onNews: (one) => news.push(one),
    startTimer: (run, ms) => {
      const timer = { run, ms };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const asked = (): unknown[] =>
    calls.filter(([route]) => route === 'findActivity').map(([, body]) => body);
  return { facts, calls, news, timers, watcher, asked, store };
}
const mined = (head: number, more: Partial<Activity>): Activity => activity(head, more);

describe('the watcher', () => {
  it('asks once a chain for all of its watches, from the last head on', async () => {
    const { facts, news, timers, watcher, asked } = setUp();
    watcher.add(addressWatch());
    watcher.add(addressWatch(BOB));
    await watcher.askAll();
    assert.deepEqual(watcher.list()[0]?.state, { kind: 'watching', head: 10 });
    facts.answer = mined(12, { blocks: 2, transactions: [transaction(12, [1])] });
    await watcher.askAll();
    assert.deepEqual(asked().at(-1), {
      watches: [addressWatch().watched, addressWatch(BOB).watched],
      after: { number: 10, hash: hash(10) },
    });
    assert.deepEqual(
      news.map(({ watches, matches }) => [watches.map(({ name }) => name), matches.length]),
      [[['other'], 1]],
    );
    assert.deepEqual(
      watcher.list().map(({ count, matches }) => [count, matches.length]),
      [
        [0, 0],
        [1, 1],
      ],
    );
    assert.deepEqual(
      [...timers].map(({ ms }) => ms),
      [20_000],
    );
  });

  it('asks public endpoints less often', async () => {
    const { watcher, timers } = setUp();
    watcher.add(addressWatch(BOB, { chain: 'base' }));
    await watcher.askAll();
    assert.deepEqual(
      [...timers].map(({ ms }) => ms),
      [60_000],
    );
  });

  it('goes on after a reload of the window where it was, and says what it skipped', async () => {
    const before = setUp();
    before.watcher.add(addressWatch());
    await before.watcher.askAll();
    before.watcher.dispose();
    assert.equal(before.timers.size, 0);
    const { facts, news, watcher, asked } = setUp(before.store);
    assert.deepEqual(watcher.list()[0]?.state, { kind: 'stopped' });
    facts.answer = mined(500, { blocks: 50, skipped: 440 });
    await watcher.askAll();
    assert.deepEqual((asked()[0] as { after: unknown }).after, { number: 10, hash: hash(10) });
    assert.equal(watcher.list()[0]?.skipped, 440);
    assert.deepEqual(
      news.map(({ skipped, matches }) => [skipped, matches]),
      [[440, []]],
    );
  });

  it('reports a transaction once, also where its block was replaced', async () => {
    const { facts, news, watcher } = setUp();
    watcher.add(addressWatch());
    await watcher.askAll();
    facts.answer = mined(11, { transactions: [transaction(1)] });
    await watcher.askAll();
    facts.answer = mined(12, { reorganized: true, transactions: [transaction(2), transaction(1)] });
    await watcher.askAll();
    assert.deepEqual(
      news.map(({ matches }) => matches.map((match) => match.transaction.hash)),
      [[hash(1)], [hash(2)]],
    );
    assert.equal(watcher.list()[0]?.count, 2);
  });

  it('slows down while a chain does not answer, and recovers', async () => {
    const { facts, timers, watcher } = setUp();
    facts.fails = new ApiError('upstreamUnreachable', 'no endpoint answers');
    watcher.add(addressWatch());
    const pauses: number[] = [];
    for (let round = 0; round < 8; round++) {
      await watcher.askAll();
      pauses.push(...[...timers].map(({ ms }) => ms));
    }
    assert.deepEqual(
      pauses,
      [80_000, 160_000, 320_000, 600_000, 600_000, 600_000, 600_000, 600_000],
    );
    assert.deepEqual(watcher.list()[0]?.state, {
      kind: 'unreachable',
      message: 'No endpoint answers.',
      next: 601_000,
    });
    facts.fails = undefined;
    await watcher.askAll();
    assert.equal(watcher.list()[0]?.state.kind, 'watching');
  });

  it('never wakes a fork, and asks a running one after its transactions only', async () => {
    const { facts, timers, watcher, asked, calls } = setUp();
    const change = { projectId: 'project_1', forkId: FORK };
    facts.forkState = 'sleeping';
    watcher.add(addressWatch(BOB, { chain: FORK, place: 'nightly', project: 'project_1' }));
    await watcher.askAll();
    assert.deepEqual([watcher.list()[0]?.state.kind, asked().length], ['sleeping', 0]);
    facts.forkState = 'running';
    await watcher.apply({ type: 'transactions', ...change });
    assert.deepEqual([watcher.list()[0]?.state.kind, asked().length], ['watching', 1]);
    assert.equal(timers.size, 0);
    const count = calls.length;
    await watcher.apply({ type: 'snapshots', ...change });
    await watcher.apply({ type: 'transactions', projectId: 'project_1', forkId: 'fork_other' });
    assert.equal(calls.length, count);
    facts.forkState = 'deleted';
    await watcher.apply({ type: 'transactions', ...change });
    assert.deepEqual(watcher.list()[0]?.state, {
      kind: 'gone',
      message: 'Fork x does not exist.',
    });
  });

  it('asks again for what happened during a request', async () => {
    const { facts, watcher, asked } = setUp();
    facts.duringRequest = () => {
      facts.duringRequest = undefined;
      watcher.add(addressWatch(BOB));
    };
    watcher.add(addressWatch());
    await watcher.askAll();
    assert.deepEqual(
      asked().map((body) => (body as { watches: unknown[] }).watches.length),
      [1, 2],
    );
  });

  it('does not start the service, and asks nothing after the last watch has ended', async () => {
    const { facts, timers, watcher, calls } = setUp();
    facts.isServed = false;
    watcher.add(addressWatch());
    await watcher.askAll();
    assert.deepEqual([watcher.list()[0]?.state.kind, calls], ['stopped', []]);
    facts.isServed = true;
    await watcher.askAll();
    assert.equal(timers.size, 1);
    watcher.remove(addressWatch());
    assert.deepEqual([timers.size, watcher.list()], [0, []]);
  });
});
