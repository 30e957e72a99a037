import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { OnProgress } from '../../../../server/api/progress';
import { SharedCache, type SharedCacheOptions } from '../../../../server/kernel/async/shared-cache';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A load that the test settles. */
function pending() {
  let resolve!: (value: { n: number }) => void;
  let reject!: (error: Error) => void;
  const signals: AbortSignal[] = [];
  const promise = new Promise<{ n: number }>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  const load = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { load, resolve, reject, signals };
}

describe('SharedCache', () => {
  const cache = (options: SharedCacheOptions = {}) =>
    new SharedCache<{ n: number }>(10, ({ n }) => n, options);

  it('loads once for all concurrent callers, and keeps the value', async () => {
    const one = cache();
    const { load, resolve, signals } = pending();
    const both = Promise.all([one.get('k', load), one.get('k', load)]);
    resolve({ n: 1 });
    assert.deepEqual(await both, [{ n: 1 }, { n: 1 }]);
    assert.deepEqual(await one.get('k', load), { n: 1 });
    assert.equal(signals.length, 1);
  });

  it('does not keep failures or values that are too heavy', async () => {
    const one = cache();
    await assert.rejects(
      one.get('k', () => Promise.reject(new Error('no'))),
      /no/,
    );
    let loads = 0;
    const heavy = () => Promise.resolve({ n: 11, loads: ++loads });
    await one.get('k', heavy);
    await one.get('k', heavy);
    assert.equal(loads, 2);
  });

  it('that remembers gives values that are too heavy, or evicted, until the garbage collector takes them', async () => {
    const one = cache({ remembers: true });
    let loads = 0;
    const load = (n: number) => () => Promise.resolve({ n, loads: ++loads });
    const heavy = async () => (await one.get('heavy', load(11))) as { n: number; loads: number };
    await heavy();
    one.replace('heavy', { n: 11, loads: 7 } as { n: number });
    assert.equal((await heavy()).loads, 7);
    for (const key of ['a', 'b', 'c']) await one.get(key, load(5));
    assert.deepEqual(one.known('a'), { n: 5, loads: 2 });
    assert.equal(loads, 4);
    // What a turn has taken from a weak reference lives until its end.
    await nextTurn();
    collectGarbage();
    assert.deepEqual([one.known('heavy'), one.known('a')], [undefined, undefined]);
    assert.equal((await heavy()).loads, 5);
  });

  it('rejects for a cancelled caller, and continues for the others', async () => {
    const one = cache();
    const { load, resolve, signals } = pending();
    const leaving = new AbortController();
    const gone = one.get('k', load, { signal: leaving.signal });
    const staying = one.get('k', load);
    leaving.abort();
    await assert.rejects(gone, { kind: 'cancelled' });
    assert.equal(signals[0]?.aborted, false);
    resolve({ n: 1 });
    assert.deepEqual(await staying, { n: 1 });
  });

  it('aborts the load after the last caller has gone, and starts again for the next one', async () => {
    const one = cache();
    const first = pending();
    const leaving = new AbortController();
    const gone = one.get('k', first.load, { signal: leaving.signal });
    leaving.abort();
    await assert.rejects(gone, { kind: 'cancelled' });
    assert.equal(first.signals[0]?.aborted, true);
    first.reject(new Error('aborted'));
    assert.deepEqual(await one.get('k', () => Promise.resolve({ n: 2 })), { n: 2 });
  });

  it('does not start for a caller that is already cancelled', async () => {
    const { load, signals } = pending();
    await assert.rejects(cache().get('k', load, { signal: AbortSignal.abort() }), {
      kind: 'cancelled',
    });
    assert.equal(signals.length, 0);
  });

  it('reports progress to all callers, and the latest progress to callers that join later', async () => {
    const one = cache();
    const progress: string[] = [];
    let report: (done: number) => void = () => undefined;
    let end: () => void = () => undefined;
    const load = (_: AbortSignal, onProgress: OnProgress): Promise<{ n: number }> => {
      report = (done) => {
        onProgress({ stage: 's', done, total: 3 });
      };
      return new Promise((resolve) => {
        end = () => {
          resolve({ n: 1 });
        };
      });
    };
    const wait = (name: string) =>
      one.get('k', load, { onProgress: ({ done }) => progress.push(`${name} ${done}`) });
    const first = wait('first');
    await Promise.resolve();
    report(1);
    const second = wait('second');
    report(2);
    end();
    await Promise.all([first, second]);
    report(3);
    assert.deepEqual(progress, ['first 1', 'second 1', 'first 2', 'second 2']);
  });
});
