import assert from 'node:assert/strict';
import type { ForkWriter } from '../../server/forks/writes/fork-writer';
import type { JournalEntry } from '../../server/forks/writes/journal';
import { CAROL, DEFAULT, GENESIS, TO, TestWriter, useWriter } from './writes-suite';

describe('the writing side of a fork', () => {
  const suite = useWriter();
  let test: TestWriter;
  let writer: ForkWriter;
  beforeEach(() => {
    ({ test, writer } = suite);
  });

  describe('snapshots', () => {
    it('restore the state, the blocks and every setting', async () => {
      await test.pay();
      await writer.change({
        method: 'anvil_impersonateAccount',
        params: [CAROL.toUpperCase().replace('0X', '0x')],
      });
      const [head, next] = [await test.block('latest'), await test.block('pending')];
      const id = await writer.snapshot();
      assert.equal(id, '0x0');
      const time = writer.nextTime;
      await writer.change({ method: 'evm_increaseTime', params: [1000] });
      await writer.change({ method: 'anvil_setBlockTimestampInterval', params: [9] });
      await writer.change({ method: 'anvil_stopImpersonatingAccount', params: [CAROL] });
      await writer.change({ method: 'anvil_impersonateAccount', params: [TO] });
      assert.deepEqual(writer.impersonated, [TO]);
      await writer.change({ method: 'anvil_setCoinbase', params: [CAROL] });
      await writer.change({ method: 'anvil_setBlockGasLimit', params: ['0xffffff'] });
      await writer.change({ method: 'anvil_setNextBlockBaseFeePerGas', params: ['0x64'] });
      await test.pay({ gas: '0x5208' });
      await writer.setInterval(4);
      await test.pay({ gas: '0x5208' });
      assert.equal(await writer.revert(id), true);
      assert.deepEqual(await test.block('latest'), head);
      const now = await test.block('pending');
      for (const field of [
        'number',
        'miner',
        'gasLimit',
        'baseFeePerGas',
        'difficulty',
        'excessBlobGas',
      ]) {
        assert.equal(now[field], next[field], field);
      }
      assert.deepEqual(
        [writer.automine, writer.interval, writer.nextTime],
        [true, undefined, time],
      );
      assert.deepEqual(writer.impersonated, [CAROL]);
      assert.equal(await test.pooled(), 0);
      assert.equal(writer.blocks.length, 1);
      assert.deepEqual(test.timers, []);
      assert.equal(await writer.revert(id), false);
      assert.equal(await writer.snapshot(), '0x1');
      await (await test.rebuilt()).engine.stop();
    });

    it('are consumed with the newer ones, except the default one', async () => {
      const ids = [await writer.snapshot(), await writer.snapshot(), await writer.snapshot()];
      assert.deepEqual(ids, ['0x0', '0x1', '0x2']);
      assert.equal(await writer.revert('0x1'), true);
      assert.equal(await writer.revert('0x2'), false);
      assert.equal(await writer.revert('0x0'), true);
      await writer.mine(2);
      for (let i = 0; i < 2; i++) {
        await writer.reset();
        assert.equal(writer.blocks.length, 0);
        assert.equal(await test.ask('eth_blockNumber'), '0x0');
        await writer.mine(1);
      }
      assert.equal(await writer.revert('unknown'), false);
      assert.equal(test.abandoned, 0);
    });

    it('of the same state are independent, also after one of them was reverted to', async () => {
      const first = await writer.snapshot();
      const second = await writer.snapshot();
      const third = await writer.snapshot();
      await test.pay({ gas: '0x5208' });
      assert.equal(await writer.revert(third), true);
      const fourth = await writer.snapshot();
      await writer.mine(2);
      assert.equal(await writer.revert(fourth), true);
      await test.pay({ gas: '0x5208' });
      assert.equal(await writer.revert(second), true);
      assert.equal(await writer.revert(third), false);
      assert.equal(await test.ask('eth_blockNumber'), '0x0');
      await writer.mine(1);
      await writer.reset();
      assert.equal(await writer.revert(first), false);
      assert.equal(test.abandoned, 0);
    });

    it('are taken together with a revert if one followed the last revert as well', async () => {
      const snapshot = async (): Promise<{ id: string; messages: number }> => {
        const before = test.messages;
        const id = await writer.snapshot();
        return { id, messages: test.messages - before };
      };
      const counts: number[] = [];
      await writer.mine(1);
      for (let i = 0; i < 4; i++) {
        const { id, messages } = await snapshot();
        counts.push(messages);
        await test.pay({ gas: '0x5208' });
        assert.equal(await writer.revert(id), true);
        assert.equal(writer.blocks.length, 1);
      }
      // The first two are taken by themselves: that the second one follows a revert is known afterwards.
      assert.deepEqual(counts, [1, 1, 0, 0]);
      await (await test.rebuilt()).engine.stop();
    });

    it('that nothing uses after a revert are not taken ahead', async () => {
      const taken = async (): Promise<number> => Number(await test.ask('evm_snapshot'));
      const round = async (): Promise<void> => {
        await test.pay({ gas: '0x5208' });
        const id = await writer.snapshot();
        await test.pay({ gas: '0x5208' });
        assert.equal(await writer.revert(id), true);
      };
      for (let i = 0; i < 3; i++) await round();
      const before = await taken();
      for (let i = 0; i < 5; i++) await round();
      assert.equal((await taken()) - before, 6);
    });

    it('that have names remain until they are deleted', async () => {
      await writer.mine(1);
      const facts = { id: 'id 1', name: 'one', createTime: '2025-06-20T00:00:00Z' };
      const kept = await writer.keep(facts, 1);
      assert.deepEqual(kept, { ...facts, blockNumber: 1 });
      assert.deepEqual(test.entries.at(-1), { op: 'keep', snapshot: kept });
      assert.equal(await writer.keep({ ...facts, id: 'id 2' }, 1), undefined);
      assert.deepEqual(
        writer.named.map(({ id }) => id),
        ['id 1'],
      );
      for (let i = 0; i < 2; i++) {
        await writer.mine(2);
        assert.equal(await writer.revert('id 1'), true);
        assert.equal(writer.blocks.length, 1);
      }
      await (await test.rebuilt()).engine.stop();
      assert.equal(await writer.forget('id 1'), true);
      assert.equal(await writer.forget('id 1'), false);
      assert.equal(await writer.revert('id 1'), false);
      assert.deepEqual(writer.named, []);
    });

    it('that have names need a new engine after a revert to an older state', async () => {
      await writer.mine(1);
      await writer.keep({ id: 'id 1', name: 'one', createTime: 'now' }, 9);
      await writer.reset();
      assert.equal(await writer.revert('id 1'), true);
      assert.equal(test.abandoned, 1);
      const again = await TestWriter.start(suite.engines, test.history.compacted());
      assert.equal(again.writer.blocks.length, 1);
      await again.engine.stop();
    });

    it('record waiting transactions, which no revert restores', async () => {
      await writer.setAutomine(false);
      await test.pay();
      const id = await writer.snapshot();
      assert.deepEqual(test.entries.at(-1), { op: 'snapshot', id: '0x0', pool: true });
      await writer.keep({ id: 'id 1', name: 'one', createTime: 'now' }, 9);
      assert.deepEqual(Object.keys(test.entries.at(-1)!), ['op', 'snapshot', 'pool']);
      await writer.revert(id);
      assert.equal(await test.pooled(), 0);
      const again = await test.rebuilt();
      assert.equal(await again.pooled(), 0);
      await again.engine.stop();
      assert.equal(await writer.snapshot(), '0x1');
      assert.deepEqual(test.entries.at(-1), { op: 'snapshot', id: '0x1' });
    });

    it('restore the time of the next block', async () => {
      const pending = async () => Number((await test.block('pending'))['timestamp']) - GENESIS;
      await writer.change({ method: 'evm_increaseTime', params: [1_000] });
      const ahead = await writer.snapshot();
      await writer.change({ method: 'evm_setNextBlockTimestamp', params: [GENESIS + 70_000] });
      const exact = await writer.snapshot();
      await writer.mine(1);
      await writer.revert(exact);
      assert.equal(await pending(), 70_000);
      assert.equal(writer.nextTime, GENESIS + 70_000);
      await writer.revert(ahead);
      assert.equal(writer.nextTime, GENESIS + 1_000);
      // The engine counts on with the wall clock.
      const now = await pending();
      assert.ok(now >= 1_000 && now < 1_060, String(now));
    });

    it('set followers back to the newest block', async () => {
      await writer.mine(1);
      const id = await writer.snapshot();
      await writer.mine(4);
      test.follower.position = 5;
      await writer.revert(id);
      assert.equal(test.follower.position, 1);
    });

    it('are made by the next engine if this one ends meanwhile', async () => {
      const id = await writer.snapshot();
      await writer.mine(1);
      await test.engine.stop();
      assert.equal(await writer.revert(id), true);
      assert.equal(test.abandoned, 1);
      const again = await TestWriter.start(suite.engines, test.history.compacted());
      assert.equal(again.writer.blocks.length, 0);
      await again.engine.stop();
    });

    it('are executed again from journals of older versions', async () => {
      const block = (timestamp: number): JournalEntry => ({
        op: 'mine',
        blocks: 1,
        interval: 1,
        timestamp: GENESIS + timestamp,
      });
      const revert = (id: string): JournalEntry => ({ op: 'revert', id, inline: true });
      const keep: JournalEntry = {
        op: 'keep',
        snapshot: { id: 'id 1', name: 'one', createTime: 'now', blockNumber: 1 },
      };
      const contents = (...entries: JournalEntry[]) => ({ nextSnapshot: 1, executed: 0, entries });
      const snapshot: JournalEntry = { op: 'snapshot', id: '0x0' };
      const again = await TestWriter.start(
        suite.engines,
        contents(block(5), snapshot, block(6), block(7), revert('0x0'), block(9)),
      );
      assert.deepEqual(
        again.writer.blocks.map(({ number, timestamp }) => [number, timestamp - GENESIS]),
        [
          [1, 5],
          [2, 9],
        ],
      );
      await again.engine.stop();
      const lost = contents(keep, revert(DEFAULT), revert('id 1'), block(5));
      await assert.rejects(TestWriter.start(suite.engines, lost), {
        code: -32603,
        message: 'the engine has lost snapshot id 1',
      });
    });
  });
});
