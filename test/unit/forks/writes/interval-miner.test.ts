import assert from 'node:assert/strict';
import { IntervalMiner } from '../../../../server/forks/writes/interval-miner';

describe('IntervalMiner', () => {
  let timers: { ms: number; fire: () => void }[];
  let mined: { end: (error?: Error) => void }[];
  let failures: unknown[];
  let miner: IntervalMiner;
  beforeEach(() => {
    [timers, mined, failures] = [[], [], []];
    miner = new IntervalMiner(
      (ms, callback) => {
        const cancel = (): void => {
          timers = timers.filter((one) => one !== timer);
        };
        const timer = {
          ms,
          fire: () => {
            cancel();
            callback();
          },
        };
        timers.push(timer);
        return cancel;
      },
      () =>
        new Promise((resolve, reject) => {
          mined.push({
            end: (error) => {
              if (error) reject(error);
              else resolve();
            },
          });
        }),
      (error) => failures.push(error),
    );
  });
  const waits = () => timers.map(({ ms }) => ms);
  const settled = () => new Promise(setImmediate);

  it('mines after each interval, one block at a time', async () => {
    miner.start(2);
    assert.deepEqual(waits(), [2_000]);
    timers[0]!.fire();
    assert.deepEqual([mined.length, waits()], [1, [2_000]]);
    timers[0]!.fire();
    assert.deepEqual([mined.length, waits()], [1, [2_000]]);
    mined[0]!.end();
    await settled();
    timers[0]!.fire();
    assert.equal(mined.length, 2);
    assert.deepEqual(failures, []);
  });

  it('stops, and starts with another interval', () => {
    miner.start(2);
    miner.start(5);
    assert.deepEqual(waits(), [5_000]);
    miner.start(undefined);
    assert.deepEqual(waits(), []);
    miner.start(0);
    assert.deepEqual(waits(), [0]);
    miner.stop();
    assert.deepEqual(waits(), []);
  });

  it('keeps its timer if the interval is the same', () => {
    miner.keep(2);
    const [timer] = timers;
    miner.keep(2);
    assert.deepEqual(timers, [timer]);
    miner.keep(3);
    assert.deepEqual(waits(), [3_000]);
    miner.stop();
    miner.keep(undefined);
    assert.deepEqual(waits(), []);
    miner.keep(3);
    assert.deepEqual(waits(), [3_000]);
  });

  it('stops with the reason if a block cannot be mined', async () => {
    miner.start(2);
    timers[0]!.fire();
    const error = new Error('no engine');
    mined[0]!.end(error);
    await settled();
    assert.deepEqual([failures, waits()], [[error], []]);
    miner.start(2);
    timers[0]!.fire();
    assert.equal(mined.length, 2);
  });
});
