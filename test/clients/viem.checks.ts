import assert from 'node:assert/strict';
import {
  BaseError,
  ContractFunctionRevertedError,
  InsufficientFundsError,
  NonceTooLowError,
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { eventually } from '../support/eventually';
import { failureOf, type Artifacts, type Check } from './check';
import { STRANGER, TILL, ViemSession, type Work } from './viem-session';
import { TEST_ACTIONS } from './viem-test-actions.checks';

/** Returns the cause that viem found for an error. */
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
      await eventually(() => {
        assert.ok(heard.blocks.includes(blockNumber) && heard.logs.length > 0);
      });
      assert.deepEqual(heard.logs, [6n]);
      await eventually(() => {
        assert.ok(heard.pending.includes(hash));
      });
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
  Object.entries({ ...WORK, ...TEST_ACTIONS }).map(([title, work]) => ({
    title,
    run: (node) => work(new ViemSession(node, artifacts)),
  }));
