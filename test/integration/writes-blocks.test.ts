import assert from 'node:assert/strict';
import { LIMITS } from '../../server/api/limits';
import { ChangeUndoneError } from '../../server/forks/writes/change-undone-error';
import type { ForkWriter } from '../../server/forks/writes/fork-writer';
import { GENESIS, TestWriter, useWriter } from './writes-suite';

describe('the writing side of a fork', () => {
  const suite = useWriter();
  let test: TestWriter;
  let writer: ForkWriter;
  beforeEach(() => {
    ({ test, writer } = suite);
  });

  describe('blocks', () => {
    it('have the given times, and the next one continues from the last', async () => {
      await writer.mine(3, { timestamp: GENESIS + 50, interval: 7 });
      assert.deepEqual(
        writer.blocks.map(({ number, timestamp }) => [number, timestamp - GENESIS]),
        [
          [1, 50],
          [2, 57],
          [3, 64],
        ],
      );
      assert.equal(writer.nextTime, GENESIS + 65);
      test.seconds += 10;
      assert.equal(writer.nextTime, GENESIS + 74);
      assert.deepEqual(test.entries, [
        { op: 'mine', blocks: 3, timestamp: GENESIS + 50, interval: 7 },
      ]);
      await writer.mine(2);
      assert.deepEqual(
        writer.blocks.slice(3).map(({ timestamp }) => timestamp - GENESIS),
        [74, 75],
      );
      assert.deepEqual(test.events, ['mined', 'mined']);
      await (await test.rebuilt()).engine.stop();
    });

    it('leave the engine without the interval of the last ones', async () => {
      await writer.mine(3, { timestamp: GENESIS + 50, interval: 7_000 });
      const pending = Number((await test.block('pending'))['timestamp']) - GENESIS;
      assert.ok(pending >= 14_050 && pending < 14_110, String(pending));
    });

    it('hold the hashes of their parents in the system contract (EIP-2935)', async () => {
      await writer.mine(1);
      await writer.mine(3);
      for (const number of [0, 1, 2, 3]) {
        const { hash } = await test.block(number);
        const slot = `0x${number.toString(16)}`;
        const history = '0x0000F90827F1C53a10cb7A02335B175320002935';
        assert.equal(await test.ask('eth_getStorageAt', history, slot, 'latest'), hash);
      }
    });

    it('follow the interval that was set, and the clock after its removal', async () => {
      await writer.change({ method: 'anvil_setBlockTimestampInterval', params: [12] });
      await writer.mine(2, { interval: 3 });
      assert.equal(writer.nextTime, GENESIS + 36);
      await test.pay();
      assert.deepEqual(
        writer.blocks.map(({ timestamp }) => timestamp - GENESIS),
        [12, 24, 36],
      );
      assert.equal(Number((await test.block('pending'))['timestamp']), GENESIS + 48);
      await writer.change({ method: 'anvil_removeBlockTimestampInterval', params: [] });
      assert.equal(writer.nextTime, GENESIS + 37);
      await (await test.rebuilt()).engine.stop();
    });

    it('follow the clock that a client sets', async () => {
      await writer.change({ method: 'evm_increaseTime', params: ['0x64'] });
      assert.equal(writer.nextTime, GENESIS + 100);
      await writer.change({ method: 'evm_setNextBlockTimestamp', params: [GENESIS + 5000] });
      assert.equal(writer.nextTime, GENESIS + 5000);
      await writer.mine(1);
      assert.equal(writer.nextTime, GENESIS + 5001);
      await writer.change({ method: 'evm_setTime', params: [GENESIS + 9000] });
      assert.equal(writer.nextTime, GENESIS + 9000);
      await (await test.rebuilt()).engine.stop();
    });

    it('have times up to the year 9999', async () => {
      const far = LIMITS.blockTime;
      const refusal = {
        code: -32602,
        message: /^the time of the block is \d+; accepted: up to \d+ \(year 9999\)$/,
      };
      const change = (method: string, value: number) => writer.change({ method, params: [value] });
      await assert.rejects(writer.mine(1, { timestamp: far + 1 }), refusal);
      await assert.rejects(writer.mine(3, { timestamp: far - 1, interval: 1 }), refusal);
      await assert.rejects(writer.mine(3, { timestamp: far - 5, interval: 3 }), refusal);
      await assert.rejects(change('evm_setNextBlockTimestamp', far + 1), refusal);
      await assert.rejects(change('evm_setTime', far + 1), refusal);
      await assert.rejects(change('anvil_setBlockTimestampInterval', far + 1), refusal);
      await assert.rejects(change('evm_increaseTime', far - GENESIS), refusal);
      assert.deepEqual(test.entries, []);
      assert.equal(test.abandoned, 0);
      await change('evm_increaseTime', far - GENESIS - 1);
      await writer.mine(1, { timestamp: far });
      await assert.rejects(test.pay(), refusal);
      assert.equal(writer.blocks.length, 1);
    });

    it('may have lost states only if some were reverted and many were mined', async () => {
      const id = await writer.snapshot();
      await writer.mine(LIMITS.keptStates - 1);
      await writer.revert(id);
      assert.equal(writer.mayLackStates, false);
      await writer.mine(1);
      assert.equal(writer.mayLackStates, true);
      const other = await TestWriter.start(suite.engines);
      await other.writer.mine(LIMITS.keptStates);
      assert.equal(other.writer.mayLackStates, false);
      await other.engine.stop();
    });
  });

  describe('interval mining', () => {
    it('mines a block each time, together with waiting transactions', async () => {
      await writer.setInterval(2);
      assert.deepEqual([writer.automine, writer.interval], [false, 2]);
      assert.deepEqual(
        test.timers.map(({ ms }) => ms),
        [2000],
      );
      const [hash] = await test.pay();
      assert.equal(writer.blocks.length, 0);
      test.timers[0]!.fire();
      await writer.setAutomine(false);
      assert.deepEqual(writer.blocks[0]?.transactions, [hash]);
      assert.equal(writer.interval, 2);
      await writer.setInterval(0);
      assert.deepEqual([writer.automine, writer.interval], [false, undefined]);
      await writer.setInterval(5);
      await writer.setAutomine(true);
      assert.deepEqual([writer.automine, writer.interval], [true, undefined]);
      await (await test.rebuilt()).engine.stop();
    });

    it('starts again when it is set, and not with other changes', async () => {
      await writer.setInterval(2);
      const [timer] = test.timers;
      await writer.snapshot();
      await test.pay();
      assert.deepEqual(test.timers, [timer]);
      await writer.setInterval(2);
      assert.equal(test.timers.length, 1);
      assert.notEqual(test.timers[0], timer);
    });

    it('continues on the next engine, and ends with the fork', async () => {
      await writer.setInterval(3);
      const again = await test.rebuilt();
      assert.deepEqual(
        again.timers.map(({ ms }) => ms),
        [3000],
      );
      await again.writer.close();
      assert.deepEqual(again.timers, []);
      await again.engine.stop();
    });

    it('stops with the reason when the engine has ended', async () => {
      await writer.setInterval(3);
      await test.engine.stop();
      test.timers[0]!.fire();
      await assert.rejects(writer.mine(1), ChangeUndoneError);
      assert.equal(test.failures.length, 1);
      assert.deepEqual(test.timers, []);
    });
  });
});
