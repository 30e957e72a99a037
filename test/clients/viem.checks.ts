import assert from 'node:assert/strict';
import {
  BaseError,
  ContractFunctionRevertedError,
  InsufficientFundsError,
  NonceTooLowError,
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
  toHex,
  TransactionReceiptNotFoundError,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { failureOf, until, type Artifacts, type Check } from './check';
import { STRANGER, TILL, ViemSession } from './viem-session';

type Work = (session: ViemSession) => Promise<void>;

/** The cause that viem found for an error. */
function causeOf<T extends Error>(error: Error, type: new (...args: never[]) => T): T {
  assert.ok(error instanceof BaseError, String(error));
  const cause = error.walk((one) => one instanceof type);
  assert.ok(cause instanceof type, String(error));
  return cause;
}

const WORK: Record<string, Work> = {
  'accounts and balances': async ({ wallet, reader }) => {
    const addresses = await wallet.getAddresses();
    assert.equal(addresses.length, 10);
    assert.deepEqual(await wallet.requestAddresses(), addresses);
    const [, , , , , , , , , last] = addresses;
    assert.equal(await reader.getBalance({ address: last! }), parseEther('10000'));
  },

  'a transfer and its receipt': async ({ wallet, reader, accounts, mined }) => {
    const [account] = await accounts();
    const before = await reader.getBalance({ address: STRANGER });
    const receipt = await mined(await wallet.sendTransaction({ account, to: STRANGER, value: 3n }));
    assert.equal(receipt.from.toLowerCase(), account.toLowerCase());
    assert.equal(receipt.gasUsed, 21_000n);
    assert.equal(await reader.getBalance({ address: STRANGER }), before + 3n);
    const { transactionHash: hash } = receipt;
    assert.equal((await reader.getTransaction({ hash })).value, 3n);
    assert.equal(await reader.getTransactionConfirmations({ hash }), 1n);
  },

  'a contract is deployed, paid and read': async ({ wallet, reader, mined, deployTill }) => {
    const till = await deployTill();
    await mined(await wallet.writeContract({ ...till, functionName: 'pay', value: 5n }));
    assert.equal(await reader.readContract({ ...till, functionName: 'total' }), 5n);
    const [log] = await reader.getContractEvents({
      ...till,
      eventName: 'Paid',
      args: { payer: till.account },
      fromBlock: 'earliest',
    });
    assert.equal(log?.args.amount, 5n);
    const reads = await reader.multicall({
      allowFailure: false,
      contracts: [{ ...till, functionName: 'total' }],
      deployless: true,
    });
    assert.deepEqual(reads, [5n]);
  },

  'custom errors of calls and estimates': async ({ reader, deployTill }) => {
    const till = await deployTill();
    const take = { ...till, functionName: 'take', args: [4n] } as const;
    for (const work of [
      () => reader.simulateContract(take),
      () => reader.estimateContractGas(take),
    ]) {
      const { data } = causeOf(await failureOf(work()), ContractFunctionRevertedError);
      assert.equal(data?.errorName, 'Empty');
      assert.deepEqual([...(data.args ?? [])], [till.account, 4n]);
    }
  },

  'reasons and panics': async ({ reader, deployTill }) => {
    const till = await deployTill();
    const refused = reader.readContract({ ...till, functionName: 'sayNo' });
    assert.equal(
      causeOf(await failureOf(refused), ContractFunctionRevertedError).reason,
      'the till is closed',
    );
    const divided = reader.readContract({ ...till, functionName: 'divide', args: [0n] });
    const panic = causeOf(await failureOf(divided), ContractFunctionRevertedError);
    assert.deepEqual([panic.data?.errorName, panic.data?.args], ['Panic', [0x12n]]);
  },

  'causes of refused transactions': async ({ wallet, accounts }) => {
    const [account] = await accounts();
    const much = wallet.sendTransaction({ account, to: STRANGER, value: parseEther('1000000') });
    causeOf(await failureOf(much), InsufficientFundsError);
    await wallet.sendTransaction({ account, to: STRANGER });
    const old = wallet.sendTransaction({ account, to: STRANGER, nonce: 0, gas: 21_000n });
    causeOf(await failureOf(old), NonceTooLowError);
  },

  'signatures of messages and typed data': async ({ wallet, accounts }) => {
    const [account] = await accounts();
    const signature = await wallet.signMessage({ account, message: 'hello' });
    const signer = await recoverMessageAddress({ message: 'hello', signature });
    assert.equal(signer.toLowerCase(), account.toLowerCase());
    const data = {
      domain: { name: 'Mail', chainId: 1 },
      types: { Mail: [{ name: 'text', type: 'string' }] },
      primaryType: 'Mail',
      message: { text: 'hello' },
    } as const;
    const typed = await wallet.signTypedData({ account, ...data });
    const typist = await recoverTypedDataAddress({ ...data, signature: typed });
    assert.equal(typist.toLowerCase(), account.toLowerCase());
  },

  'transactions signed here, of all types': async ({ wallet, reader, test, mined }) => {
    const account = privateKeyToAccount(generatePrivateKey());
    await test.setBalance({ address: account.address, value: parseEther('1') });
    for (const type of ['legacy', 'eip2930', 'eip1559'] as const) {
      const hash = await wallet.sendTransaction({ account, to: STRANGER, type, value: 1n });
      assert.equal((await mined(hash)).type, type);
    }
    const authorization = await wallet.signAuthorization({
      account,
      contractAddress: STRANGER,
      executor: 'self',
    });
    const to = account.address;
    await mined(await wallet.sendTransaction({ account, to, authorizationList: [authorization] }));
    const delegation = `0xef0100${STRANGER.slice(2)}`.toLowerCase();
    assert.equal(await reader.getCode({ address: to }), delegation);
  },

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
      await until(async () => (await reader.getBlockNumber()) >= head + 2n);
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

  filters: async ({ wallet, reader, mined, deployTill }) => {
    const till = await deployTill();
    const events = await reader.createContractEventFilter({ ...till, eventName: 'Paid' });
    const blocks = await reader.createBlockFilter();
    const pending = await reader.createPendingTransactionFilter();
    const hash = await wallet.writeContract({ ...till, functionName: 'pay', value: 5n });
    const { blockHash } = await mined(hash);
    const [log] = await reader.getFilterChanges({ filter: events });
    assert.equal(log?.args.amount, 5n);
    assert.deepEqual(await reader.getFilterChanges({ filter: events }), []);
    assert.equal((await reader.getFilterLogs({ filter: events })).length, 1);
    assert.deepEqual(await reader.getFilterChanges({ filter: blocks }), [blockHash]);
    assert.deepEqual(await reader.getFilterChanges({ filter: pending }), [hash]);
    for (const filter of [events, blocks, pending]) {
      assert.equal(await reader.uninstallFilter({ filter }), true);
    }
  },

  subscriptions: async ({ wallet, hearer, mined, deployTill }) => {
    const till = await deployTill();
    const reader = hearer();
    const heard = { blocks: [] as bigint[], logs: [] as bigint[], pending: [] as Hex[] };
    const stops = [
      reader.watchBlockNumber({ onBlockNumber: (number) => heard.blocks.push(number) }),
      reader.watchContractEvent({
        address: till.address,
        abi: TILL,
        eventName: 'Paid',
        onLogs: (logs) => heard.logs.push(...logs.map(({ args }) => args.amount ?? 0n)),
      }),
      reader.watchPendingTransactions({ onTransactions: (all) => heard.pending.push(...all) }),
    ];
    try {
      await reader.getChainId();
      await reader.getChainId();
      const hash = await wallet.writeContract({ ...till, functionName: 'pay', value: 6n });
      const { blockNumber } = await mined(hash);
      await until(() => heard.blocks.includes(blockNumber) && heard.logs.length > 0);
      assert.deepEqual(heard.logs, [6n]);
      await until(() => heard.pending.includes(hash));
    } finally {
      for (const stop of stops) stop();
      (await reader.transport.getRpcClient()).close();
    }
  },

  fees: async ({ reader, accounts }) => {
    const [account] = await accounts();
    const { maxFeePerGas, maxPriorityFeePerGas } = await reader.estimateFeesPerGas();
    assert.ok(maxFeePerGas > maxPriorityFeePerGas);
    const history = await reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] });
    assert.equal(history.baseFeePerGas.length, 3);
    assert.ok((await reader.getGasPrice()) > 0n);
    assert.ok((await reader.getBlobBaseFee()) > 0n);
    assert.equal(await reader.estimateGas({ account, to: STRANGER }), 21_000n);
  },

  'access lists and overrides': async ({ reader, deployTill }) => {
    const till = await deployTill();
    const { accessList } = await reader.createAccessList({
      account: till.account,
      to: till.address,
      data: '0x1b9265b8',
    });
    assert.equal(accessList[0]?.address, till.address.toLowerCase());
    const { data } = await reader.call({
      to: STRANGER,
      stateOverride: [{ address: STRANGER, code: '0x4360005260206000f3' }],
      blockOverrides: { number: 1234n },
    });
    assert.equal(BigInt(data ?? 0), 1234n);
  },

  'simulated blocks': async ({ reader, accounts }) => {
    const [account] = await accounts();
    const [block] = await reader.simulateBlocks({
      blocks: [
        {
          stateOverrides: [{ address: account, balance: parseEther('3') }],
          calls: [{ account, to: STRANGER, value: parseEther('2') }],
        },
      ],
    });
    assert.equal(block?.calls[0]?.status, 'success');
    assert.equal(block.number, (await reader.getBlockNumber()) + 1n);
  },

  'state that is dumped and loaded': async ({ test, reader }) => {
    const { address } = privateKeyToAccount(generatePrivateKey());
    await test.setBalance({ address, value: 12n });
    const state = await test.dumpState();
    await test.setBalance({ address, value: 13n });
    await test.loadState({ state });
    assert.equal(await reader.getBalance({ address }), 12n);
  },
};

export const viemChecks = (artifacts: Artifacts): Check[] =>
  Object.entries(WORK).map(([title, work]) => ({
    title,
    run: (node) => work(new ViemSession(node, artifacts)),
  }));
