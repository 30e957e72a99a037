import assert from 'node:assert/strict';
import { Transaction, Wallet } from 'ethers';
import { call, refusal } from '../support/json-rpc';
import { PROJECT } from './fork-service';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

const STRANGER = `0x${'99'.repeat(20)}`;
const ETHER = '0xde0b6b3a7640000';

describe('transactions on a fork', () => {
  const on = useFork();

  it('executes unsigned transactions of any sender, one block each, with an immediate receipt', async () => {
    await call(on.rpc, 'anvil_setBalance', STRANGER, ETHER);
    const hash = await on.increment(STRANGER);
    const receipt = await on.receiptOf(hash);
    assert.equal(receipt.status, '0x1');
    assert.equal(receipt.logs.length, 1);
    assert.equal(await on.head(), 4);
    assert.equal(await on.counter(), 2);
    await on.increment();
    assert.equal(await on.head(), 5);
    assert.deepEqual(on.service.counted, [
      [PROJECT, 1],
      [PROJECT, 1],
    ]);
  });

  it('rejects a sender without funds, and leaves no trace of the transaction', async () => {
    const error = await refusal(on.rpc, 'eth_sendTransaction', {
      from: STRANGER,
      to: COUNTER,
      gas: '0x186a0',
    });
    assert.equal(error.code, -32003);
    assert.match(
      error.message,
      new RegExp(`^insufficient funds .* ${STRANGER} has 0 wei and needs \\d+`),
    );
    assert.equal(await on.head(), 3);
    assert.deepEqual(await call(on.rpc, 'txpool_status'), { pending: '0x0', queued: '0x0' });
    assert.deepEqual(on.service.counted, []);
  });

  it('rejects a fee or a gas limit that no block accepts', async () => {
    const transaction = { from: ALICE.address, to: COUNTER, gas: '0x186a0' };
    const cheap = await refusal(on.rpc, 'eth_sendTransaction', {
      ...transaction,
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x0',
    });
    assert.match(
      cheap.message,
      /^max fee per gas less than block base fee: max fee per gas is 1, the base fee \d+$/,
    );
    const large = await refusal(on.rpc, 'eth_sendTransaction', {
      ...transaction,
      gas: '0xffffffffff',
    });
    assert.match(large.message, /^gas is 1099511627775, above the block gas limit of 30000000$/);
    assert.equal(await on.head(), 3);
  });

  it('lets a transaction wait for earlier nonces', async () => {
    const later = await call(on.rpc, 'eth_sendTransaction', {
      from: ALICE.address,
      to: COUNTER,
      nonce: '0x2',
    });
    assert.equal(await on.receiptOf(later), null);
    assert.equal(await on.head(), 3);
    const first = await call(on.rpc, 'eth_sendTransaction', {
      from: ALICE.address,
      to: COUNTER,
      nonce: '0x1',
    });
    const [one, two] = await Promise.all([on.receiptOf(first), on.receiptOf(later)]);
    assert.deepEqual([one.blockNumber, two.blockNumber], ['0x4', '0x4']);
    assert.deepEqual(on.service.counted, [[PROJECT, 2]]);
  });

  it('counts reverted transactions, but no calls, estimates or replays', async () => {
    const reverted = await call(on.rpc, 'eth_sendTransaction', {
      from: ALICE.address,
      to: COUNTER,
      data: '0xff',
      gas: '0x186a0',
    });
    assert.equal((await on.receiptOf(reverted)).status, '0x0');
    await call(on.rpc, 'eth_call', { to: COUNTER }, 'latest');
    await call(on.rpc, 'eth_estimateGas', { to: COUNTER });
    await call(on.rpc, 'evm_mine');
    assert.deepEqual(on.service.counted, [[PROJECT, 1]]);
  });

  it('accepts signed transactions of its own chain id only', async () => {
    const fields = { to: COUNTER, nonce: 1, gasLimit: 100_000, gasPrice: 10n ** 10n, type: 0 };
    const wrong = await refusal(
      on.rpc,
      'eth_sendRawTransaction',
      await ALICE.signTransaction({ ...fields, chainId: 5 }),
    );
    assert.match(wrong.message, /signed for chain 5, this fork is chain 1/);
    const raw = await ALICE.signTransaction({ ...fields, chainId: 0 });
    assert.equal(await call(on.rpc, 'eth_sendRawTransaction', raw), Transaction.from(raw).hash);
    assert.equal((await refusal(on.rpc, 'eth_sendRawTransaction', '0x1234')).code, -32602);
    assert.match(
      (await refusal(on.rpc, 'eth_sendTransaction', { from: ALICE.address, chainId: '0x5' }))
        .message,
      /chainId is 5/,
    );
  });

  it('executes bundles in one block, in order', async () => {
    const from = ALICE.address;
    const bundle = [
      { from, to: COUNTER },
      { from: BOB.address, to: COUNTER, data: '0xff', gas: '0x186a0' },
      { from, to: COUNTER },
    ];
    const hashes = await call<string[]>(on.rpc, 'eth_sendTransactions', bundle);
    const receipts = await Promise.all(hashes.map((hash) => on.receiptOf(hash)));
    assert.deepEqual(
      receipts.map(({ blockNumber }) => Number(blockNumber)),
      [4, 4, 4],
    );
    assert.deepEqual(
      receipts.map(({ transactionIndex }) => Number(transactionIndex)),
      [0, 1, 2],
    );
    assert.deepEqual(
      receipts.map(({ status }) => status),
      ['0x1', '0x0', '0x1'],
    );
    assert.deepEqual(on.service.counted, [[PROJECT, 3]]);
    const raws = await Promise.all(
      [3, 4].map((nonce) =>
        ALICE.signTransaction({
          to: COUNTER,
          nonce,
          gasLimit: 100_000,
          gasPrice: 10n ** 10n,
          type: 0,
          chainId: 1,
        }),
      ),
    );
    assert.deepEqual(
      await call(on.rpc, 'eth_sendRawTransactions', raws),
      raws.map((raw) => Transaction.from(raw).hash),
    );
    assert.equal(await on.head(), 5);
    assert.equal(await on.counter(), 5);
  });

  it('accepts a bundle completely or not at all', async () => {
    const from = ALICE.address;
    const error = await refusal(on.rpc, 'eth_sendTransactions', [
      { from, to: COUNTER },
      { from, to: COUNTER, gas: '0xffffffffff' },
    ]);
    assert.match(
      error.message,
      /^transaction 1 of the bundle: gas is 1099511627775, above the block gas limit of 30000000$/,
    );
    const malformed = await refusal(on.rpc, 'eth_sendTransactions', [
      { from, to: COUNTER },
      { from, to: '0x12' },
    ]);
    assert.match(malformed.message, /^transaction 1 of the bundle: /);
    assert.deepEqual(await call(on.rpc, 'txpool_status'), { pending: '0x0', queued: '0x0' });
    assert.equal(await on.head(), 3);
    assert.equal((await refusal(on.rpc, 'eth_sendTransactions', [])).code, -32602);
    assert.equal((await refusal(on.rpc, 'eth_sendTransactions', { from })).code, -32602);
  });

  it('mines on demand while automine is off', async () => {
    assert.equal(await call(on.rpc, 'anvil_getAutomine'), true);
    assert.equal(await call(on.rpc, 'evm_setAutomine', false), null);
    assert.equal(await call(on.rpc, 'anvil_getAutomine'), false);
    const hash = await on.increment();
    assert.equal(await on.receiptOf(hash), null);
    assert.deepEqual(on.service.counted, []);
    assert.equal(await call(on.rpc, 'evm_mine'), '0x0');
    assert.equal((await on.receiptOf(hash)).status, '0x1');
    assert.deepEqual(on.service.counted, [[PROJECT, 1]]);
  });

  it('lists the transactions made on the fork, newest first, in pages', async () => {
    const hashes = [
      await on.increment(),
      ...(await call<string[]>(on.rpc, 'eth_sendTransactions', [
        { from: BOB.address, to: ALICE.address, value: '0x1bc16d674ec80000' },
        { from: BOB.address, to: COUNTER, data: '0xff000000', gas: '0x186a0' },
      ])),
      await call(on.rpc, 'eth_sendTransaction', { from: ALICE.address, data: '0x00' }),
    ];
    await call(on.rpc, 'evm_mine');
    const list = (query: { limit: number; cursor?: string }) =>
      on.service.forks.transactions(PROJECT, on.fork.forkId, query);
    const all = await list({ limit: 50 });
    assert.equal(all.total, 4);
    assert.equal(all.nextCursor, null);
    assert.deepEqual(
      all.transactions.map(({ hash }) => hash),
      hashes.toReversed(),
    );
    const [creation, reverted, transfer] = all.transactions;
    assert.equal(creation?.to, null);
    assert.deepEqual(
      [reverted?.status, reverted?.selector, reverted?.transactionIndex],
      [false, '0xff000000', 1],
    );
    assert.deepEqual(
      [transfer?.value, transfer?.selector, transfer?.status, transfer?.gasUsed],
      ['2', '', true, 21000],
    );
    const first = await list({ limit: 3 });
    assert.equal(first.nextCursor, '5-0');
    const second = await list({ limit: 3, cursor: '5-0' });
    assert.deepEqual(
      second.transactions.map(({ hash }) => hash),
      hashes.slice(0, 1),
    );
    assert.equal(second.nextCursor, null);
    await call(on.rpc, 'evm_revert', on.fork.snapshotId);
    assert.deepEqual(await list({ limit: 50 }), { total: 0, transactions: [], nextCursor: null });
  });

  it('keeps the order of many simultaneous senders', async () => {
    const wallets = Array.from({ length: 8 }, () => Wallet.createRandom());
    await Promise.all(
      wallets.map(({ address }) => call(on.rpc, 'anvil_setBalance', address, ETHER)),
    );
    const hashes = await Promise.all(wallets.map(({ address }) => on.increment(address)));
    const receipts = await Promise.all(hashes.map((hash) => on.receiptOf(hash)));
    assert.deepEqual(
      receipts.map(({ blockNumber }) => Number(blockNumber)).sort((a, b) => a - b),
      [4, 5, 6, 7, 8, 9, 10, 11],
    );
    assert.equal(await on.counter(), 9);
    assert.equal(on.service.counted.length, 8);
  });
});
