import assert from 'node:assert/strict';
import { IDLE_MS, isSettled, SLICE_MS, testPool } from './test-pool';

describe('EnginePool that lends places', () => {
  it('lends the places of unused forks, and admits as many fewer until they are given back', async () => {
    const { clock, pool, slept, member, enter, queue } = testPool();
    const [a, b, c] = [member('a'), member('b'), member('c')];
    await enter(a, b);
    const giveBack = pool.lend();
    assert.deepEqual(slept, []);
    clock.advance(25);
    assert.deepEqual(slept, ['a']);
    b.requests = 1;
    const third = queue(c);
    clock.advance(SLICE_MS - 100);
    assert.equal(await isSettled(third), false);
    giveBack();
    giveBack();
    await third;
    assert.deepEqual(slept, ['a']);
    const fourth = queue(member('d'));
    clock.advance(50);
    assert.equal(await isSettled(fourth), false, 'returned once');
  });

  it('leaves busy forks and the last fork their engines while it lends', async () => {
    const { clock, pool, slept, member, enter } = testPool();
    const [a, b] = [member('a'), member('b')];
    await enter(a, b);
    [a.requests, b.requests] = [1, 1];
    const lent = [pool.lend(), pool.lend(), pool.lend()];
    clock.advance(IDLE_MS / 2);
    assert.deepEqual(slept, []);
    a.answer();
    b.answer();
    clock.advance(IDLE_MS / 2);
    assert.deepEqual(slept, ['a']);
    for (const giveBack of lent) giveBack();
  });
});
