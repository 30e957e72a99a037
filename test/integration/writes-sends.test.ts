import assert from 'node:assert/strict';
import type { ForkWriter } from '../../server/forks/writes/fork-writer';
import { CAROL, GENESIS, payment, TO, type TestWriter, useWriter } from './writes-suite';

describe('the writing side of a fork', () => {
  const suite = useWriter();
  let test: TestWriter;
  let writer: ForkWriter;
  beforeEach(() => {
    ({ test, writer } = suite);
  });

  describe('sends', () => {
    it('mine a block, and record the gas and the time of the transaction', async () => {
      const [hash] = await test.pay();
      const time = GENESIS + 1;
      assert.deepEqual(writer.blocks, [{ number: 1, timestamp: time, transactions: [hash] }]);
      assert.deepEqual(test.entries, [
        {
          op: 'send',
          calls: [payment({ gas: '0x5208' })],
          timestamp: time,
          executed: { sequence: 1, day: '2025-06-20', count: 1 },
        },
      ]);
      assert.deepEqual(test.events, ['sent', 'mined']);
      await test.pay();
      assert.deepEqual(test.entries[1]?.executed, { sequence: 2, day: '2025-06-20', count: 1 });
      assert.equal(writer.blocks[1]?.timestamp, GENESIS + 2);
      const again = await test.rebuilt();
      await again.pay();
      assert.equal(again.entries[0]?.executed?.sequence, 3);
      await again.engine.stop();
    });

    it('wait in the pool without automine, and are mined with the next block', async () => {
      await writer.setAutomine(false);
      const [hash] = await test.pay();
      assert.equal(writer.blocks.length, 0);
      assert.equal(await test.pooled(), 1);
      assert.deepEqual(test.entries[1], { op: 'send', calls: [payment({ gas: '0x5208' })] });
      assert.deepEqual(test.events, ['sent']);
      await writer.mine(1);
      assert.deepEqual(writer.blocks[0]?.transactions, [hash]);
      assert.deepEqual(test.entries[2]?.executed, { sequence: 1, day: '2025-06-20', count: 1 });
      assert.deepEqual(test.events, ['sent', 'mined']);
      await (await test.rebuilt()).engine.stop();
    });

    it('wait for an earlier nonce, and record no time until a block contains them', async () => {
      const [later] = await test.pay({ nonce: '0x1' });
      assert.equal(writer.blocks.length, 0);
      assert.deepEqual(Object.keys(test.entries[0]!), ['op', 'calls']);
      const [earlier] = await test.pay({ nonce: '0x0' });
      assert.deepEqual(writer.blocks[0]?.transactions, [earlier, later]);
      assert.equal(test.entries[1]?.executed?.count, 2);
      await (await test.rebuilt()).engine.stop();
    });

    it('of several transactions are one block, in which one pays for the next', async () => {
      const gas = '0x5208';
      const hashes = await writer.send([
        payment({ to: CAROL, value: '0xde0b6b3a7640000', gas }),
        payment({ from: CAROL, to: TO, gas }),
      ]);
      assert.deepEqual(writer.blocks, [
        { number: 1, timestamp: GENESIS + 1, transactions: hashes },
      ]);
      assert.equal(test.entries[0]?.executed?.count, 2);
    });

    it('of several transactions change nothing if one cannot be executed', async () => {
      await test.pay();
      test.seconds += 100;
      const [head, next] = [await test.block('latest'), await test.block('pending')];
      const gas = '0x5208';
      const broke = [payment({ gas }), payment({ from: CAROL, gas })];
      await assert.rejects(writer.send(broke), (error: Error & { code: number }) => {
        assert.equal(error.code, -32003);
        assert.match(
          error.message,
          new RegExp(`^transaction 1 of the bundle: insufficient funds .*${CAROL} has 0 wei`),
        );
        return true;
      });
      await assert.rejects(
        writer.send([payment({ gas }), payment({ gas: '0x1c9c380' })]),
        /^RpcError: transaction 1 of the bundle: gas limit reached: gas is 30000000, the earlier transactions leave 29979000 in the block$/,
      );
      assert.equal((await test.block('latest'))['hash'], head['hash']);
      assert.equal((await test.block('pending'))['baseFeePerGas'], next['baseFeePerGas']);
      assert.equal(await test.pooled(), 0);
      assert.equal(writer.blocks.length, 1);
      assert.equal(writer.nextTime, GENESIS + 101);
      assert.equal(test.abandoned, 0);
      await assert.rejects(
        writer.send([payment({ gas }), payment({ gas, nonce: '0x5' })]),
        /^RpcError: transaction 1 of the bundle: nonce too high: nonce is 5, the next one of 0x[0-9a-f]{40} is 2$/,
      );
      // The engine cannot drop a transaction that waits for a nonce.
      assert.equal(test.abandoned, 1);
    });

    const refusals: [string, Record<string, unknown>, string | RegExp][] = [
      [
        'too little gas',
        { gas: '0x5207' },
        'intrinsic gas too low: gas is 20999, the transaction needs 21000',
      ],
      [
        'less gas than its data costs',
        { gas: '0x53ff', data: `0x${'01'.repeat(20)}` },
        'intrinsic gas too low: gas is 21503, below the floor of 21800 that its data costs (EIP-7623)',
      ],
      [
        'more gas than a block has',
        { gas: '0x1c9c381' },
        'gas is 30000001, above the block gas limit of 30000000',
      ],
      [
        'more value than its sender has',
        { from: CAROL, gas: '0x5208', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' },
        `insufficient funds for gas * price + value: ${CAROL} has 0 wei and needs 42000000000001; anvil_setBalance gives it more`,
      ],
      [
        'a fee below the base fee',
        { gas: '0x5208', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' },
        'max fee per gas less than block base fee: max fee per gas is 1, the base fee 1000000000',
      ],
      [
        'a tip above its fee',
        { gas: '0x5208', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x77359401' },
        'max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas is 2000000001, maxFeePerGas 2000000000',
      ],
      [
        'init code that is too long',
        { to: undefined, gas: '0x1c9c380', data: `0x${'00'.repeat(49_153)}` },
        'max initcode size exceeded: the init code has 49153 bytes, up to 49152 are allowed (EIP-3860)',
      ],
    ];
    for (const automine of [true, false]) {
      it(`are refused with the reason ${automine ? 'with' : 'without'} automine, and change nothing`, async () => {
        if (!automine) await writer.setAutomine(false);
        const before = [...test.entries];
        for (const [what, facts, message] of refusals) {
          await assert.rejects(test.pay(facts), { code: -32003, message }, what);
          assert.equal(await test.pooled(), 0, what);
        }
        assert.deepEqual(test.entries, before);
        assert.equal(test.abandoned, 0);
        assert.equal(await test.ask('eth_blockNumber'), '0x0');
        // The engine is still usable.
        await test.pay({ gas: '0x5208' });
        assert.equal(writer.blocks.length, automine ? 1 : 0);
      });
    }

    it('keep the order of the pool in the same block', async () => {
      await writer.setAutomine(false);
      const [first] = await test.pay();
      await writer.setAutomine(true);
      const [second] = await test.pay();
      assert.deepEqual(writer.blocks, [
        { number: 1, timestamp: GENESIS + 1, transactions: [first, second] },
      ]);
    });
  });
});
