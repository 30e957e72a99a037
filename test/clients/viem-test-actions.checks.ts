import assert from 'node:assert/strict';
import { parseEther, toHex, TransactionReceiptNotFoundError, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { eventually } from '../support/eventually';
import { STRANGER, type Work } from './viem-session';

/** Actions of viem's test client. */
export const TEST_ACTIONS: Record<string, Work> = {
  snapshots: async ({ test, reader }) => {
    const head = await reader.getBlockNumber();
    const id = await test.snapshot();
    const value = (await reader.getBalance({ address: STRANGER })) + 77n;
    await test.setBalance({ address: STRANGER, value });
    await test.mine({ blocks: 2 });
    await test.revert({ id });
    assert.equal(await reader.getBalance({ address: STRANGER }), value - 77n);
    assert.equal(await reader.getBlockNumber(), head);
  },

  'state that is set': async ({ test, reader }) => {
    const address = privateKeyToAccount(generatePrivateKey()).address;
    await test.setCode({ address, bytecode: '0x60005460005260206000f3' });
    await test.setStorageAt({ address, index: 0, value: toHex(9n, { size: 32 }) });
    await test.setNonce({ address, nonce: 4 });
    assert.equal(BigInt((await reader.call({ to: address })).data ?? 0), 9n);
    assert.equal(await reader.getTransactionCount({ address }), 4);
  },

  'proofs of accounts': async ({ reader, accounts }) => {
    const [address] = await accounts();
    const { nonce } = await reader.getProof({ address, storageKeys: [] });
    assert.equal(nonce, await reader.getTransactionCount({ address }));
  },

  time: async ({ test, reader }) => {
    const { timestamp } = await reader.getBlock();
    await test.increaseTime({ seconds: 1_000 });
    await test.mine({ blocks: 1 });
    const later = (await reader.getBlock()).timestamp;
    assert.ok(later >= timestamp + 1_000n && later < timestamp + 1_060n, String(later - timestamp));
    await test.setNextBlockTimestamp({ timestamp: later + 500n });
    await test.mine({ blocks: 1 });
    assert.equal((await reader.getBlock()).timestamp, later + 500n);
    await test.setBlockTimestampInterval({ interval: 7 });
    await test.mine({ blocks: 2 });
    assert.equal((await reader.getBlock()).timestamp, later + 514n);
    await test.removeBlockTimestampInterval();
  },

  'a pool without automine': async ({ test, wallet, reader, accounts, mined }) => {
    const [first, second] = await accounts();
    await test.setAutomine(false);
    try {
      assert.equal(await test.getAutomine(), false);
      const hashes: Hex[] = [];
      for (const account of [first, second]) {
        hashes.push(await wallet.sendTransaction({ account, to: STRANGER, gas: 21_000n }));
      }
      assert.deepEqual(await test.getTxpoolStatus(), { pending: 2, queued: 0 });
      const { pending } = await test.getTxpoolContent();
      assert.equal(Object.keys(pending).length, 2);
      const block = await reader.getBlock({ blockTag: 'pending', includeTransactions: false });
      assert.deepEqual([...block.transactions].sort(), [...hashes].sort());
      await test.mine({ blocks: 1 });
      const receipts = await Promise.all(hashes.map(mined));
      assert.equal(receipts[0]?.blockNumber, receipts[1]?.blockNumber);
    } finally {
      await test.setAutomine(true);
    }
  },

  'a replaced transaction': async ({ test, wallet, reader, accounts, mined }) => {
    const [account] = await accounts();
    const nonce = await reader.getTransactionCount({ address: account });
    const base = { account, to: STRANGER, gas: 21_000n, nonce } as const;
    await test.setAutomine(false);
    try {
      const hash = await wallet.sendTransaction({ ...base, maxFeePerGas: 10n ** 10n });
      const other = await wallet.sendTransaction({
        ...base,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 10n ** 10n,
      });
      await test.mine({ blocks: 1 });
      assert.equal((await mined(other)).transactionHash, other);
      assert.equal(await reader.getTransactionCount({ address: account }), nonce + 1);
      await assert.rejects(reader.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError);
    } finally {
      await test.setAutomine(true);
    }
  },

  'dropped transactions': async ({ test, wallet, accounts }) => {
    const [account] = await accounts();
    await test.setAutomine(false);
    try {
      const hash = await wallet.sendTransaction({ account, to: STRANGER, gas: 21_000n });
      await test.dropTransaction({ hash });
      assert.equal((await test.getTxpoolStatus()).pending, 0);
    } finally {
      await test.setAutomine(true);
    }
  },

  'interval mining': async ({ test, reader }) => {
    const head = await reader.getBlockNumber();
    await test.setIntervalMining({ interval: 1 });
    try {
      await eventually(async () => {
        assert.ok((await reader.getBlockNumber()) >= head + 2n);
      });
    } finally {
      await test.setIntervalMining({ interval: 0 });
      await test.setAutomine(true);
    }
  },

  impersonation: async ({ test, wallet, mined }) => {
    const { address } = privateKeyToAccount(generatePrivateKey());
    await test.setBalance({ address, value: parseEther('1') });
    await test.impersonateAccount({ address });
    await mined(await wallet.sendTransaction({ account: address, to: STRANGER, value: 1n }));
    await test.stopImpersonatingAccount({ address });
  },

  'the next block': async ({ test, reader }) => {
    await test.setCoinbase({ address: STRANGER });
    await test.setNextBlockBaseFeePerGas({ baseFeePerGas: 7_000_000_000n });
    await test.setBlockGasLimit({ gasLimit: 20_000_000n });
    await test.mine({ blocks: 1 });
    const { miner, baseFeePerGas, gasLimit } = await reader.getBlock();
    assert.equal(miner, STRANGER.toLowerCase());
    assert.deepEqual([baseFeePerGas, gasLimit], [7_000_000_000n, 20_000_000n]);
    await test.setBlockGasLimit({ gasLimit: 30_000_000n });
  },
};
