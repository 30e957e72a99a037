import assert from 'node:assert/strict';
import { ApiError } from '../../server/api/errors';
import { EngineEndedError } from '../../server/evm/forms/engine-ended-error';
import { ChangeUndoneError } from '../../server/forks/writes/change-undone-error';
import type { ForkWriter } from '../../server/forks/writes/fork-writer';
import type { JournalEntry } from '../../server/forks/writes/journal';
import { COUNTER } from './fork-upstream';
import { FROM, TO, useWriter, type TestWriter } from './writes-suite';

describe('the writing side of a fork', () => {
  const suite = useWriter();
  let test: TestWriter;
  let writer: ForkWriter;
  beforeEach(() => {
    ({ test, writer } = suite);
  });

  describe('the journal', () => {
    it('does not contain refused changes', async () => {
      await assert.rejects(writer.change({ method: 'anvil_setBalance', params: [TO, 'much'] }), {
        name: 'RpcError',
      });
      assert.deepEqual(test.entries, []);
      assert.equal(test.abandoned, 0);
      await writer.change({ method: 'anvil_setBalance', params: [TO, '0x7'] });
      assert.deepEqual(test.entries, [
        { op: 'call', method: 'anvil_setBalance', params: [TO, '0x7'] },
      ]);
      const again = await test.rebuilt();
      assert.equal(await again.ask('eth_getBalance', TO, 'latest'), '0x7');
      await again.engine.stop();
    });

    it('does not contain changes that the engine did not answer', async () => {
      await test.engine.stop();
      await assert.rejects(test.pay({ gas: '0x5208' }), (error) => {
        assert.ok(error instanceof ChangeUndoneError);
        assert.equal(error.kind, 'engineUnavailable');
        assert.equal(error.isRepeatable, error.cause instanceof EngineEndedError);
        assert.equal(error.isRepeatable, true);
        return true;
      });
      assert.deepEqual(test.entries, []);
      assert.equal(test.abandoned, 1);
    });

    it('gets the entry of a transaction when the engine has mined it, and counts it afterwards', async () => {
      test.onMine = () => {
        assert.deepEqual(test.entries, []);
        assert.deepEqual(test.counted, []);
        return Promise.resolve();
      };
      await test.pay({ gas: '0x5208' });
      assert.deepEqual(test.counted, [1]);
      assert.deepEqual(test.entries[0]?.executed, { sequence: 1, day: '2025-06-20', count: 1 });
      await (await test.rebuilt()).engine.stop();
    });

    it('gets no entry of a transaction that the engine leaves out of its block', async () => {
      await test.pay({ gas: '0x5208' });
      test.onMine = () => test.ask('anvil_dropAllTransactions');
      await assert.rejects(test.pay({ gas: '0x5209' }), {
        code: -32003,
        message: /^the engine left it out of its block, although no other transaction is pending/,
      });
      assert.equal(test.entries.length, 1);
      assert.equal(test.history.entries, 1);
      assert.deepEqual(test.counted, [1]);
      // The engine has mined an empty block.
      assert.ok(test.abandoned > 0);
    });

    it('gets no entry of a transaction during which the engine ends', async () => {
      test.onMine = () => test.engine.stop();
      await assert.rejects(test.pay({ gas: '0x5208' }), (error) => {
        assert.ok(error instanceof ChangeUndoneError);
        assert.equal(error.isRepeatable, true);
        return true;
      });
      assert.deepEqual(test.entries, []);
      assert.deepEqual(test.counted, []);
    });

    it('keeps a transaction from being acknowledged if it cannot be written', async () => {
      test.writeError = new Error('the disk is full');
      await assert.rejects(test.pay({ gas: '0x5208' }), { message: 'the disk is full' });
      assert.deepEqual(test.counted, []);
      assert.equal(test.history.entries, 0);
      // The engine is ended by what writes the journal.
      assert.equal(test.abandoned, 0);
    });

    it('accepts only reverts and deletions when it is full', async () => {
      await suite.restart({ bytes: 2 ** 20, entries: 3 });
      ({ test, writer } = suite);
      const id = await writer.snapshot();
      await writer.keep({ id: 'id 1', name: 'one', createTime: 'now' }, 9);
      await writer.mine(1);
      const isFull = (error: unknown): boolean =>
        error instanceof ApiError && error.kind === 'journalFull';
      await assert.rejects(writer.mine(1), isFull);
      await assert.rejects(test.pay(), isFull);
      await assert.rejects(writer.snapshot(), isFull);
      assert.equal(test.abandoned, 0);
      assert.equal(await writer.forget('id 1'), true);
      assert.equal(await writer.revert(id), true);
      // Nothing of the journal is needed, so it was rewritten, and has room.
      assert.deepEqual(test.rewritten.at(-1)?.entries, []);
      await writer.mine(1);
      assert.equal(writer.blocks.length, 1);
    });

    it('refuses changes that it cannot write', async () => {
      const id = await writer.snapshot();
      test.writeError = new Error('the disk is full');
      const refusal = { message: 'the disk is full' };
      await assert.rejects(writer.snapshot(), refusal);
      await assert.rejects(writer.revert(id), refusal);
      // Its state is ahead of the journal: the engine is ended by what writes the journal.
      assert.equal(test.abandoned, 0);
      assert.deepEqual(test.entries, [{ op: 'snapshot', id: '0x0' }]);
      assert.equal(test.history.entries, 1);
    });

    it('stays as it is if it cannot be rewritten', async () => {
      await suite.restart({ bytes: 2 ** 20, entries: 3 });
      ({ test, writer } = suite);
      test.canRewrite = false;
      const id = await writer.snapshot();
      await writer.mine(1);
      assert.equal(await writer.revert(id), true);
      assert.equal(test.history.entries, 3);
      await assert.rejects(writer.mine(1), { kind: 'journalFull' });
      assert.deepEqual(test.rewritten, []);
    });

    it('counts calls of contracts with their gas at the time of the next block', async () => {
      await writer.send([{ method: 'eth_sendTransaction', params: [{ from: FROM, to: COUNTER }] }]);
      const [sent] = (test.entries[0] as JournalEntry & { op: 'send' }).calls;
      const { gas } = sent!.params[0] as { gas: string };
      assert.ok(Number(gas) > 43_000 && Number(gas) < 60_000, gas);
      assert.equal(Number(await test.ask('eth_getStorageAt', COUNTER, '0x0', 'latest')), 1);
    });
  });
});
