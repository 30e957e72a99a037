import assert from 'node:assert/strict';
import { ReadinessCheck } from '../../../server/composition/readiness';

describe('readiness', () => {
  let isDraining: boolean;
  let isAway: boolean;
  let asked: number;
  let time: number;
  let check: ReadinessCheck;
  beforeEach(() => {
    [isDraining, isAway, asked, time] = [false, false, 0, 0];
    check = new ReadinessCheck({
      ping: () => {
        asked++;
        return isAway ? Promise.reject(new Error('away')) : Promise.resolve();
      },
      isDraining: () => isDraining,
      now: () => time,
    });
  });

  it('comes with the end of the start', async () => {
    assert.deepEqual(await check.read(), { status: 'notReady', reason: 'starting' });
    check.started();
    assert.deepEqual(await check.read(), { status: 'ready' });
  });

  it('ends when the service stops, or gives its forks away', async () => {
    check.started();
    isDraining = true;
    assert.deepEqual(await check.read(), { status: 'notReady', reason: 'draining' });
    isDraining = false;
    assert.deepEqual(await check.read(), { status: 'ready' });
    await check.stopping();
    assert.deepEqual(await check.read(), { status: 'notReady', reason: 'draining' });
  });

  it('asks the database once a second', async () => {
    check.started();
    isAway = true;
    for (let index = 0; index < 3; index++) {
      const away = { status: 'notReady', reason: 'databaseUnavailable' };
      assert.deepEqual(await check.read(), away);
    }
    assert.equal(asked, 1);
    isAway = false;
    time = 1_000;
    assert.deepEqual(await check.read(), { status: 'ready' });
    assert.equal(asked, 2);
  });

  it('needs no database where there is none', async () => {
    const alone = new ReadinessCheck({ ping: undefined, isDraining: () => false });
    alone.started();
    assert.deepEqual(await alone.read(), { status: 'ready' });
  });
});
