import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTimeout, timeoutSignal } from '../../../server/api/timeout-signal';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a time limit', () => {
  /** The error with which a wait for an event that never comes ends. Holds no signal itself. */
  const endOf = (signal: AbortSignal): Promise<DOMException> =>
    once(new EventEmitter(), 'never', { signal }).then(
      () => assert.fail('an event came'),
      (error: unknown) => (error as Error).cause as DOMException,
    );

  it('fires in a combined signal after a garbage collection', async () => {
    const alive = setInterval(() => undefined, 1_000);
    const { signal } = new AbortController();
    const end = endOf(AbortSignal.any([signal, timeoutSignal(50)]));
    const nested = endOf(
      AbortSignal.any([AbortSignal.any([signal, timeoutSignal(50)]), timeoutSignal(60_000)]),
    );
    await new Promise(setImmediate);
    collectGarbage();
    assert.equal((await end).name, 'TimeoutError');
    assert.equal((await nested).name, 'TimeoutError');
    clearInterval(alive);
  });

  it('does not fire after it was cleared', async () => {
    const cleared = startTimeout(1);
    const later = timeoutSignal(20);
    cleared.clear();
    const alive = setInterval(() => undefined, 1_000);
    await endOf(later);
    clearInterval(alive);
    assert.equal(cleared.signal.aborted, false);
  });
});
