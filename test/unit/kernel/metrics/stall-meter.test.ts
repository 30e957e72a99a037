import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadTimer } from '../../../../server/composition/thread-time';
import { StallMeter, type Stall } from '../../../../server/kernel/metrics/stall-meter';
import { eventually } from '../../../support/eventually';

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Blocks the event loop until the process has used the given processor time. */
function work(ms: number): void {
  const end = processorMs() + ms;
  while (processorMs() < end);
}

describe('the stall meter', () => {
  const noted: Stall[] = [];
  const meter = new StallMeter((stall) => noted.push(stall), threadTimer());
  beforeEach(() => {
    noted.length = 0;
    meter.resume();
  });
  afterEach(() => meter.stop());

  it('measures a pause, and the processor time in it', async () => {
    work(300);
    await eventually(() => {
      assert.ok(meter.longest.processorSeconds >= 0.2, JSON.stringify(meter.longest));
    });
    const { seconds, processorSeconds } = noted.find((stall) => stall.processorSeconds >= 0.2)!;
    assert.ok(processorSeconds <= seconds);
    assert.ok(meter.longest.seconds >= seconds);
  });

  it('counts waiting without work as a pause without processor time', async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    await eventually(() => {
      const found = noted.find(({ seconds }) => seconds >= 0.5);
      assert.ok(found, JSON.stringify(noted));
      assert.ok(found.processorSeconds < 0.3, JSON.stringify(found));
    });
  });

  it('counts no work of another thread', async function () {
    if (process.platform !== 'linux') this.skip();
    const isWorking = new Int32Array(new SharedArrayBuffer(4));
    const code = `Atomics.store(require('node:worker_threads').workerData, 0, 1);
      Atomics.notify(require('node:worker_threads').workerData, 0); for (;;);`;
    const other = new Worker(code, { eval: true, workerData: isWorking });
    await once(other, 'online');
    Atomics.wait(isWorking, 0, 0);
    noted.length = 0;
    Atomics.wait(isWorking, 0, 1, 600);
    await eventually(() => {
      const found = noted.find(({ seconds }) => seconds >= 0.5);
      assert.ok(found && found.processorSeconds < 0.3, JSON.stringify(noted));
    });
    await other.terminate();
  });

  it('measures nothing after its end, and again after it is resumed', async () => {
    await meter.stop();
    work(100);
    await new Promise(setImmediate);
    assert.deepEqual(noted, []);
    meter.resume();
    work(100);
    await eventually(() => {
      assert.ok(noted.length > 0);
    });
  });
});
