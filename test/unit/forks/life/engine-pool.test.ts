import assert from 'node:assert/strict';
import { IDLE_MS, isSettled, type Member, signal, SLICE_MS, testPool } from './test-pool';

describe('EnginePool', () => {
  it('puts a member to sleep after it was unused for the idle time, and not before', async () => {
    const { clock, slept, member, enter } = testPool();
    const [a, b] = [member('a'), member('b')];
    await enter(a);
    clock.advance(400);
    await enter(b);
    clock.advance(599);
    assert.deepEqual(slept, []);
    clock.advance(1);
    assert.deepEqual(slept, ['a']);
    clock.advance(399);
    assert.deepEqual(slept, ['a']);
    clock.advance(1);
    assert.deepEqual(slept, ['a', 'b']);
    assert.equal(clock.timers, 0);
  });

  it('restarts the idle time with every use', async () => {
    const { clock, pool, slept, member, enter } = testPool();
    const a = member('a');
    await enter(a);
    for (let use = 0; use < 5; use++) {
      clock.advance(IDLE_MS - 1);
      pool.used(a);
    }
    assert.deepEqual(slept, []);
    clock.advance(IDLE_MS);
    assert.deepEqual(slept, ['a']);
  });

  it('does not put a busy member to sleep', async () => {
    const { clock, pool, slept, member, enter } = testPool();
    const a = member('a');
    await enter(a);
    a.requests = 1;
    clock.advance(10 * IDLE_MS);
    assert.deepEqual(slept, []);
    a.requests = 0;
    pool.used(a);
    clock.advance(IDLE_MS);
    assert.deepEqual(slept, ['a']);
  });

  it('gives a new member the place of the least recently used one', async () => {
    const { clock, pool, slept, member, enter } = testPool();
    const [a, b, c, d] = [member('a'), member('b'), member('c'), member('d')];
    await enter(a, b);
    pool.used(a);
    clock.advance(300);
    await enter(c);
    assert.deepEqual(slept, ['b']);
    clock.advance(300);
    await enter(d);
    assert.deepEqual(slept, ['b', 'a']);
  });

  it('takes the place of a member soon after its only request', async () => {
    const { clock, slept, member, enter, queue } = testPool();
    const [a, b] = [member('a'), member('b')];
    await enter(a, b);
    const third = queue(member('c'));
    clock.advance(24);
    assert.equal(await isSettled(third), false);
    clock.advance(1);
    await third;
    assert.deepEqual(slept, ['a']);
  });

  it('does not put a member to sleep in the pauses between its requests', async () => {
    const { clock, pool, slept, member, enter, queue } = testPool();
    const [a, b] = [member('a'), member('b')];
    await enter(a, b);
    for (let use = 0; use < 40; use++) {
      clock.advance(30);
      pool.used(a);
      pool.used(b);
    }
    const third = queue(member('c'));
    clock.advance(100);
    pool.used(a);
    clock.advance(15);
    assert.equal(await isSettled(third), false);
    clock.advance(10);
    await third;
    assert.deepEqual(slept, ['b']);
  });

  it('does not put a busy member to sleep before the end of its slice, even if it was used longest ago', async () => {
    const { clock, slept, member, enter } = testPool();
    const [a, b, c] = [member('a'), member('b'), member('c')];
    await enter(a, b);
    a.requests = 1;
    clock.advance(300);
    await enter(c);
    assert.deepEqual(slept, ['b']);
  });

  it('ends the member that has run longest, after its last answer, when a new member has waited for a slice', async () => {
    const { clock, slept, member, enter, queue } = testPool();
    const [a, b, c] = [member('a'), member('b'), member('c')];
    a.requests = b.requests = 1;
    await enter(a);
    clock.advance(500);
    await enter(b);
    const third = queue(c);
    clock.advance(SLICE_MS - 1);
    assert.equal(await isSettled(third), false);
    clock.advance(101);
    assert.equal(await isSettled(third), false, 'a request is under way');
    a.answer();
    await third;
    assert.deepEqual(slept, ['a']);
  });

  it('gives turns in order of arrival', async () => {
    const { clock, slept, member, queue } = testPool();
    const members = ['a', 'b', 'c', 'd', 'e'].map(member);
    const turns: string[] = [];
    const again = (one: Member, name: string): void => {
      void queue(one).then(() => turns.push(name));
    };
    for (const [i, one] of members.entries()) again(one, 'abcde'[i]!);
    for (let step = 0; step < 200; step++) {
      clock.advance(100);
      for (const [i, one] of members.entries()) {
        if (one.requests === 0) continue;
        one.answer();
        if (slept.at(-1) === 'abcde'[i]) {
          slept.push('-');
          members[i] = member('abcde'[i]!);
          again(members[i], 'abcde'[i]!);
        } else one.requests++;
      }
      await new Promise(setImmediate);
    }
    assert.equal(turns.length, 20);
    for (let end = 1; end <= turns.length; end++) {
      const soFar = turns.slice(0, end);
      const counts = ['a', 'b', 'c', 'd', 'e'].map(
        (name) => soFar.filter((one) => one === name).length,
      );
      // Two members leave at the same time, in either order.
      assert.ok(Math.max(...counts) - Math.min(...counts) <= 2, soFar.join(''));
    }
  });

  it('puts another member to sleep if the first one takes too long', async () => {
    const { clock, slept, member, enter, queue } = testPool();
    const [a, b, c] = [member('a'), member('b'), member('c')];
    a.requests = b.requests = 1;
    await enter(a, b);
    const third = queue(c);
    assert.equal(await isSettled(third), false);
    clock.advance(SLICE_MS + 100);
    b.answer();
    b.requests = 1;
    assert.deepEqual(slept, []);
    clock.advance(SLICE_MS);
    b.answer();
    await third;
    assert.deepEqual(slept, ['b']);
  });

  it('gives a longer slice to a member that took long to start', async () => {
    const { clock, pool, slept, member, queue } = testPool();
    const [a, b, c] = [member('a'), member('b'), member('c')];
    a.requests = b.requests = 1;
    await Promise.all([pool.enter(a, { signal }), pool.enter(b, { signal })]);
    clock.advance(3_000);
    pool.awake(a);
    const third = queue(c);
    clock.advance(2_900);
    a.answer();
    assert.equal(await isSettled(third), false);
    a.requests = 1;
    clock.advance(200);
    a.answer();
    await third;
    assert.deepEqual(slept, ['a'], 'an engine that is still starting stays');
  });

  it('admits a member when its previous engine has ended, and others before it', async () => {
    const { pool, member, enter, queue } = testPool();
    const [a, b, c, d] = [member('a'), member('b'), member('c'), member('d')];
    await enter(a);
    a.requests = 1;
    let end: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (end = resolve));
    const second = pool.enter(b, { signal, ready });
    await enter(c);
    assert.equal(await isSettled(second), false);
    c.requests = 1;
    const fourth = queue(d);
    assert.equal(await isSettled(fourth), false);
    end();
    pool.leave(a);
    await fourth;
    assert.equal(await isSettled(second), false);
    pool.leave(c);
    await second;
  });

  it('removes a cancelled member from the queue, and admits the next one', async () => {
    const { pool, member, enter } = testPool();
    const [a, b, c, d] = [member('a'), member('b'), member('c'), member('d')];
    await enter(a, b);
    a.requests = b.requests = 1;
    const cancel = new AbortController();
    const third = pool.enter(c, { signal: cancel.signal });
    const fourth = pool.enter(d, { signal });
    assert.equal(await isSettled(third), false);
    cancel.abort();
    await assert.rejects(third, { name: 'AbortError' });
    assert.equal(await isSettled(fourth), false);
    pool.leave(b);
    await fourth;
  });

  it('refuses members when too many wait or the wait is too long, and names the time to ask again', async () => {
    const { clock, pool, member, enter } = testPool();
    const members = ['a', 'b', 'c', 'd', 'e', 'f'].map(member);
    for (const one of members.slice(0, 2)) await enter(one);
    for (const one of members) one.requests = 1;
    const waiting = members.slice(2, 5).map((one) => pool.enter(one, { signal }));
    await assert.rejects(pool.enter(members[5]!, { signal }), {
      kind: 'enginesBusy',
      message:
        'all engines are busy (engine.maxRunning: 2), and the queue is full (engine.maxWaiting: 3); try again in 4 s',
      retryAfter: 4,
    });
    const refused = Promise.allSettled(waiting);
    clock.advance(30_100);
    for (const outcome of await refused) {
      assert.ok(outcome.status === 'rejected');
      assert.match(
        String(outcome.reason),
        /: all engines are busy \(engine.maxRunning: 2\), and the fork waited 30 s for an engine \(engine.maxWaitSeconds\); try again in \d s$/,
      );
    }
    assert.equal(clock.timers, 0);
  });

  it('refuses those that wait once it is closed', async () => {
    const { clock, pool, member, enter } = testPool();
    await enter(member('a'), member('b'));
    const third = pool.enter(member('c'), { signal });
    pool.close();
    await assert.rejects(third, { kind: 'cancelled' });
    assert.equal(clock.timers, 0);
  });

  it('stops its checks when it is closed', async () => {
    const { clock, pool, slept, member, enter } = testPool();
    await enter(member('a'));
    pool.close();
    clock.advance(10 * IDLE_MS);
    assert.deepEqual(slept, []);
    assert.equal(clock.timers, 0);
  });
});
