import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';
import { call, post, refusal, type RpcReply } from '../support/json-rpc';
import { PROJECT } from './fork-service';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

const from = ALICE.address;
const STRANGER = `0x${'99'.repeat(20)}`;

describe('transactions that no block can contain', () => {
  const on = useFork();

  const REFUSED: readonly [string, object, RegExp][] = [
    [
      'a gas limit below the intrinsic gas',
      { to: COUNTER, gas: '0x5300', data: `0x${'11'.repeat(100)}` },
      /^intrinsic gas too low: gas is 21248, the transaction needs 22600$/,
    ],
    [
      'a gas limit below 21,000',
      { to: COUNTER, gas: '0x5207' },
      /^intrinsic gas too low: gas is 20999, the transaction needs 21000$/,
    ],
    [
      'a gas limit below the floor of its data',
      { to: COUNTER, gas: '0xc350', data: `0x${'11'.repeat(1600)}` },
      /^intrinsic gas too low: gas is 50000, below the floor of 85000 that its data costs \(EIP-7623\)$/,
    ],
    [
      'a tip above its fee',
      {
        to: COUNTER,
        gas: '0xc350',
        maxFeePerGas: '0x3b9aca00',
        maxPriorityFeePerGas: '0x3b9aca01',
      },
      /^max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas is 1000000001, maxFeePerGas 1000000000$/,
    ],
    [
      'a fee below the base fee',
      { to: COUNTER, gas: '0xc350', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' },
      /^max fee per gas less than block base fee: max fee per gas is 1, the base fee \d+$/,
    ],
    [
      'too long an init code',
      { data: `0x${'00'.repeat(49_153)}`, gas: '0x1c9c380' },
      /^max initcode size exceeded: the init code has 49153 bytes, up to 49152 are allowed \(EIP-3860\)$/,
    ],
    [
      'more gas than a block has',
      { to: COUNTER, gas: '0xffffffffff' },
      /^gas is 1099511627775, above the block gas limit of 30000000$/,
    ],
    [
      'too little money',
      { from: STRANGER, to: COUNTER, gas: '0x186a0' },
      /^insufficient funds for gas \* price \+ value: 0x9{40} has 0 wei and needs \d+; anvil_setBalance/,
    ],
    [
      'no authorization',
      { to: COUNTER, gas: '0x186a0', authorizationList: [] },
      /^a transaction of type 4 \(EIP-7702\) needs at least one authorization$/,
    ],
  ];

  for (const automine of [true, false]) {
    for (const [what, fields, reason] of REFUSED) {
      it(`are rejected for ${what}, with automine ${automine ? 'on' : 'off'}`, async () => {
        if (!automine) await call(on.rpc, 'evm_setAutomine', false);
        const engines = on.service.started.length;
        const error = await refusal(on.rpc, 'eth_sendTransaction', { from, ...fields });
        assert.match(error.message, reason);
        assert.equal(error.code, -32003);
        assert.deepEqual(await call(on.rpc, 'txpool_status'), { pending: '0x0', queued: '0x0' });
        assert.equal(await on.head(), 3);
        assert.equal(on.service.started.length, engines);
      });
    }
  }

  it('leave pending transactions unchanged, and others are accepted after them', async () => {
    await call(on.rpc, 'evm_setAutomine', false);
    const first = await on.increment();
    await refusal(on.rpc, 'eth_sendTransaction', { from: STRANGER, to: COUNTER, gas: '0x186a0' });
    const second = await on.increment(BOB.address);
    await call(on.rpc, 'evm_mine');
    for (const hash of [first, second]) assert.equal((await on.receiptOf(hash)).status, '0x1');
    await on.service.forks.stop();
    assert.equal(await on.counter(), 3);
  });

  it('are checked against the base fee of the next block while automine is off', async () => {
    for (const wanted of [undefined, '0x77359400', '0x0']) {
      if (wanted === undefined) await on.increment();
      else await call(on.rpc, 'anvil_setNextBlockBaseFeePerGas', wanted);
      await call(on.rpc, 'evm_setAutomine', false);
      const baseFee = BigInt(await call(on.rpc, 'eth_baseFee'));
      if (wanted !== undefined) assert.equal(baseFee, BigInt(wanted));
      const send = { from, to: COUNTER, gas: '0x186a0', maxPriorityFeePerGas: '0x0' };
      const hex = (fee: bigint): string => `0x${fee.toString(16)}`;
      if (baseFee > 0n) {
        const below = { ...send, maxFeePerGas: hex(baseFee - 1n) };
        const { message } = await refusal(on.rpc, 'eth_sendTransaction', below);
        assert.match(message, new RegExp(`the base fee ${baseFee}$`));
      }
      const at = { ...send, maxFeePerGas: hex(baseFee) };
      const hash = await call(on.rpc, 'eth_sendTransaction', at);
      await call(on.rpc, 'evm_mine');
      assert.equal((await on.receiptOf(hash)).status, '0x1');
      await call(on.rpc, 'evm_setAutomine', true);
    }
  });

  it('are identified in a bundle', async () => {
    const error = await refusal(on.rpc, 'eth_sendTransactions', [
      { from, to: COUNTER },
      { from, to: COUNTER, gas: '0x5207' },
    ]);
    assert.equal(
      error.message,
      'transaction 1 of the bundle: intrinsic gas too low: gas is 20999, the transaction needs 21000',
    );
    assert.equal(await on.counter(), 1);
  });

  it('are identified in a bundle with the reason why they are not in its block', async () => {
    const [, other = ''] = await call<string[]>(on.rpc, 'eth_accounts');
    for (const [second, reason] of [
      [{ from: STRANGER, to: BOB.address }, /insufficient funds for gas \* price \+ value: 0x9999/],
      [
        { from: other, to: BOB.address, nonce: '0x9' },
        new RegExp(`nonce too high: nonce is 9, the next one of ${other} is 0$`),
      ],
      [
        { from: other, to: COUNTER, gas: '0x1c9c380' },
        /gas limit reached: gas is 30000000, the earlier transactions leave 29979000 in the block$/,
      ],
    ] as [object, RegExp][]) {
      const bundle = [{ from, to: BOB.address }, second];
      const { code, message } = await refusal(on.rpc, 'eth_sendTransactions', bundle);
      assert.equal(code, -32003);
      assert.match(message, new RegExp(`^transaction 1 of the bundle: ${reason.source}`));
    }
    assert.equal(await on.head(), 3);
    assert.deepEqual(await call(on.rpc, 'txpool_status'), { pending: '0x0', queued: '0x0' });
  });

  it('may be paid for by earlier ones in a bundle', async () => {
    const hashes = await call<string[]>(on.rpc, 'eth_sendTransactions', [
      { from, to: STRANGER, value: '0xde0b6b3a7640000' },
      { from: STRANGER, to: COUNTER, gas: '0x186a0' },
    ]);
    for (const hash of hashes) assert.equal((await on.receiptOf(hash)).status, '0x1');
  });
});

describe('transactions that the engine cannot parse', () => {
  const on = useFork();
  const ADDRESS = 'an address: 0x and 40 hex digits';
  const quantity = (bits: number): string => `a quantity as hex, below 2^${bits}`;

  const WRONG: readonly [object, string][] = [
    [{ from: '' }, `from is ""; accepted: ${ADDRESS}`],
    [{ to: '0x12' }, `to is "0x12"; accepted: ${ADDRESS}`],
    [{ value: '-0x1' }, `value is "-0x1"; accepted: ${quantity(256)}`],
    [{ value: 1.5 }, `value is 1.5; accepted: ${quantity(256)}`],
    [{ maxFeePerGas: 0.5 }, `maxFeePerGas is 0.5; accepted: ${quantity(128)}`],
    [{ nonce: '0x1ffffffffffffffff' }, `nonce is "0x1ffffffffffffffff"; accepted: ${quantity(64)}`],
    [{ data: '0x1' }, 'data is "0x1"; accepted: bytes: 0x and an even number of hex digits'],
    [{ type: '0x7f' }, 'type is "0x7f"; accepted: 0x0 to 0x4'],
    [
      { gasPrice: '0x1', maxFeePerGas: '0x1' },
      'gasPrice is "0x1"; accepted: none together with maxFeePerGas',
    ],
    [{ accessList: 5 }, 'accessList is 5; accepted: an array of addresses with storageKeys'],
    [
      { accessList: [{ address: 'x', storageKeys: [] }] },
      `accessList[0].address is "x"; accepted: ${ADDRESS}`,
    ],
    [
      { accessList: [{ address: COUNTER, storageKeys: ['0x1'] }] },
      'accessList[0].storageKeys[0] is "0x1"; accepted: 32 bytes: 0x and 64 hex digits',
    ],
  ];

  it('are rejected with the field, its value and what is accepted', async () => {
    for (const [fields, message] of WRONG) {
      const transaction = { to: BOB.address, ...fields };
      for (const method of [
        'eth_sendTransaction',
        'eth_sendTransactionSync',
        'eth_fillTransaction',
      ]) {
        assert.deepEqual(await refusal(on.rpc, method, transaction), { code: -32602, message });
      }
      const bundle = [{ to: BOB.address }, transaction];
      const error = await refusal(on.rpc, 'eth_sendTransactions', bundle);
      assert.equal(error.message, `transaction 1 of the bundle: ${message}`);
    }
    for (const raw of [null, [1, 2], '0x', '0x02']) {
      const { code, message } = await refusal(on.rpc, 'eth_sendRawTransaction', raw);
      assert.equal(code, -32602);
      assert.match(message, /^the transaction is .*; accepted: a signed transaction as hex$/);
    }
    assert.equal(await on.head(), 3);
  });
});

describe('sends that wait for the receipt', () => {
  const on = useFork();
  interface Receipt {
    status: string;
    transactionHash: string;
    blockNumber: string;
  }

  it('return it at once with automine', async () => {
    const own = await call<Receipt>(on.rpc, 'eth_sendTransactionSync', { to: COUNTER });
    assert.deepEqual([own.status, own.blockNumber], ['0x1', '0x4']);
    const raw = await call(on.rpc, 'eth_signTransaction', { to: COUNTER });
    const signed = await call<Receipt>(on.rpc, 'eth_sendRawTransactionSync', raw, 1_000);
    assert.deepEqual([signed.status, signed.blockNumber], ['0x1', '0x5']);
  });

  for (const [what, method, mined] of [
    ['automine is off', 'evm_setAutomine', () => call(on.rpc, 'evm_mine')],
    ['a nonce is missing', '', () => on.increment()],
  ] as const) {
    it(`wait for the block if ${what}`, async () => {
      if (method) await call(on.rpc, method, false);
      const nonce = method ? '0x1' : '0x2';
      const sent = call<Receipt>(on.rpc, 'eth_sendTransactionSync', { from, to: COUNTER, nonce });
      await eventually(async () => {
        const { pending, queued } = await call<Record<string, string>>(on.rpc, 'txpool_status');
        assert.equal(Number(pending) + Number(queued), 1);
      });
      await mined();
      const receipt = await sent;
      assert.deepEqual([receipt.status, receipt.blockNumber], ['0x1', '0x4']);
      assert.deepEqual(await on.receiptOf(receipt.transactionHash), receipt);
    });
  }

  it("return anvil's error after the timeout, and the transaction stays pending", async () => {
    await call(on.rpc, 'evm_setAutomine', false);
    const error = await refusal(on.rpc, 'eth_sendTransactionSync', { from, to: COUNTER }, 50);
    assert.equal(error.code, 4);
    const hash = error.data as string;
    assert.equal(
      error.message,
      `Transaction confirmation timeout: ${hash} waits in the pool and was not mined within 50 ms`,
    );
    await call(on.rpc, 'evm_mine');
    assert.equal((await on.receiptOf(hash)).status, '0x1');
    const bad = await refusal(on.rpc, 'eth_sendTransactionSync', { from, to: COUNTER }, 'soon');
    assert.match(bad.message, /^the time-out is "soon"; accepted: a whole number/);
    assert.equal(await on.counter(), 2);
  });

  const waits = (rpc: string): Promise<void> =>
    eventually(async () => {
      assert.equal((await call<{ pending: string }>(rpc, 'txpool_status')).pending, '0x1');
    });

  it('leave the engine to other forks while they wait, and follow their fork to another engine', async () => {
    const after = (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms).unref();
      return () => {
        clearTimeout(timer);
      };
    };
    const engines = { maxRunning: 1, sliceMs: 150, now: () => performance.now(), after };
    const service = await on.another({}, { engines });
    try {
      const [one, other] = [
        await service.create({ height: '0x3' }),
        await service.create({ height: '0x3' }),
      ];
      await call(one.rpc, 'evm_setAutomine', false);
      const sent = call<Receipt>(one.rpc, 'eth_sendTransactionSync', { to: COUNTER });
      await waits(one.rpc);
      assert.equal(await call(other.rpc, 'eth_blockNumber'), '0x3');
      assert.equal((await service.forks.get(PROJECT, one.forkId)).state, 'sleeping');
      await call(one.rpc, 'evm_mine');
      assert.equal((await sent).blockNumber, '0x4');
    } finally {
      await service.close();
    }
  });

  it('end with the deletion of their fork', async () => {
    await call(on.rpc, 'evm_setAutomine', false);
    const sent = refusal(on.rpc, 'eth_sendTransactionSync', { to: COUNTER });
    await waits(on.rpc);
    await on.service.forks.delete(PROJECT, on.fork.forkId);
    const { code, message } = await sent;
    assert.equal(code, -32001);
    assert.match(message, /^fork "fork_[0-9a-f]{32}" does not exist$/);
  });

  it('are rejected like other sends', async () => {
    await call(on.rpc, 'evm_setAutomine', false);
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransactionSync' };
    const params = [{ from: STRANGER, to: COUNTER, gas: '0x186a0' }];
    const answer = (await post(on.rpc, JSON.stringify({ ...body, params }))) as RpcReply;
    assert.match(answer.error!.message, /^insufficient funds/);
  });
});
