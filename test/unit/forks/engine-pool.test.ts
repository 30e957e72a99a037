import assert from 'node:assert/strict';
import { EnginePool, type PoolMember } from '../../../server/forks/engine-pool';

const IDLE_MS = 1000;
const open = new AbortController().signal;

/** A clock that only the test moves. */
class TestClock {
  now = 0;
  #timers: { at: number; callback: () => void }[] = [];

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  get timers(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    this.now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { callback } of due) callback();
  }
}

describe('EnginePool', () => {
  let clock: TestClock;
  let pool: EnginePool;
  /** Members that were put to sleep, in order. */
  let slept: string[];
  beforeEach(() => {
    clock = new TestClock();
    slept = [];
    pool = new EnginePool({
      ...{ maxRunning: 2, idleMs: IDLE_MS },
      now: () => clock.now,
      after: clock.after,
    });
  });

  const member = (name: string): PoolMember & { requests: number } => {
    const one = {
      requests: 0,
      sleep: () => {
        slept.push(name);
        pool.leave(one);
        return Promise.resolve();
      },
    };
    return one;
  };
  const enter = async (...members: PoolMember[]): Promise<void> => {
    for (const one of members) {
      await pool.enter(one, open);
      pool.used(one);
    }
  };
  /** Whether a promise has settled once all that can happen by itself has. */
  async function isSettled(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    void promise.then(
      () => (settled = true),
      () => (settled = true),
    );
    await new Promise(setImmediate);
    return settled;
  }

  it('puts to sleep who was unused for so long, and not before', async () => {
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

  it('lets every use begin the wait anew', async () => {
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

  it('leaves a busy member alone, however long that takes', async () => {
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

  it('gives the place of the least recently used to a newcomer', async () => {
    const [a, b, c, d] = [member('a'), member('b'), member('c'), member('d')];
    await enter(a, b);
    pool.used(a);
    await enter(c);
    assert.deepEqual(slept, ['b']);
    await enter(d);
    assert.deepEqual(slept, ['b', 'a']);
  });

  it('takes no place from a busy member, though it was used longer ago', async () => {
    const [a, b, c] = [member('a'), member('b'), member('c')];
    await enter(a, b);
    a.requests = 1;
    await enter(c);
    assert.deepEqual(slept, ['b']);
  });

  it('lets newcomers wait, in their order, while all are busy', async () => {
    const [a, b, c, d] = [member('a'), member('b'), member('c'), member('d')];
    await enter(a, b);
    a.requests = 1;
    b.requests = 1;
    const [third, fourth] = [pool.enter(c, open), pool.enter(d, open)];
    assert.equal(await isSettled(third), false);
    b.requests = 0;
    pool.used(b);
    await third;
    assert.deepEqual(slept, ['b']);
    c.requests = 1;
    assert.equal(await isSettled(fourth), false);
    // An engine that ended by itself leaves its place, too.
    pool.leave(a);
    await fourth;
    assert.deepEqual(slept, ['b']);
  });

  it('lets a newcomer that is cancelled go, and the next one in', async () => {
    const [a, b, c, d] = [member('a'), member('b'), member('c'), member('d')];
    await enter(a, b);
    a.requests = 1;
    b.requests = 1;
    const cancel = new AbortController();
    const third = pool.enter(c, cancel.signal);
    const fourth = pool.enter(d, open);
    assert.equal(await isSettled(third), false);
    cancel.abort();
    await assert.rejects(third, { name: 'AbortError' });
    assert.equal(await isSettled(fourth), false);
    pool.leave(b);
    await fourth;
  });

  it('looks at nobody any more once it is closed', async () => {
    await enter(member('a'));
    pool.close();
    clock.advance(10 * IDLE_MS);
    assert.deepEqual(slept, []);
    assert.equal(clock.timers, 0);
  });
});
