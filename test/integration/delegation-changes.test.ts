import assert from 'node:assert/strict';
import { Wallet, type TransactionLike } from 'ethers';
import type { Address } from '../../server/api/primitives';
import type { Analysis } from '../../server/api/views';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../server/evm/forms/types';
import { toQuantity } from '../../server/evm/forms/quantity';
import { HardhatNode } from '../support/hardhat-node';
import { call } from '../support/json-rpc';
import { nativeMoves, stateMoves } from '../support/native-moves';
import { createFork, startService, type TestService } from '../support/service';
import { ALICE, BOB, ethChain } from './fork-upstream';

const NOBODY = `0x${'0'.repeat(40)}`;
const WALLET: Address = `0x${'70'.repeat(20)}`;
/** Stores PREVRANDAO in slot 0, and clears slot 1 for a refund. */
const RANDOM: Address = `0x${'71'.repeat(20)}`;
const delegation = (to: Address): string => `0xef0100${to.slice(2)}`;
const wallet = (index: number): Wallet =>
  new Wallet(`0x${(0xe00 + index).toString(16).padStart(64, '7')}`);
const lower = ({ address }: Wallet): Address => address.toLowerCase() as Address;

/** Unused accounts, except that one holds ether and one has a delegation. */
const [FRESH, FRESH_TOO, HOLDER, DELEGATING, NONE] = [0, 1, 2, 3, 4].map(wallet) as [
  Wallet,
  Wallet,
  Wallet,
  Wallet,
  Wallet,
];
const authorize = (signer: Wallet, to: string, nonce: number, chainId = 1) =>
  signer.authorizeSync({ address: to, chainId, nonce });

/** A block with all kinds of authorizations: valid and invalid, by accounts that are new, hold ether or already delegate. */
const TRANSACTIONS: TransactionLike[] = [
  { authorizationList: [authorize(FRESH, WALLET, 0)] },
  { authorizationList: [authorize(HOLDER, WALLET, 0), authorize(FRESH_TOO, RANDOM, 0)] },
  { authorizationList: [authorize(DELEGATING, NOBODY, 1), authorize(NONE, WALLET, 7)] },
  { authorizationList: [authorize(FRESH, RANDOM, 1), authorize(FRESH, NOBODY, 2, 0)] },
  { to: RANDOM, type: 2 },
  { to: RANDOM, authorizationList: [authorize(NONE, NOBODY, 0)] },
];
/** The transaction after them. Its fee recipient gets no tip. */
const LAST: TransactionLike = { to: WALLET, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 0n };

describe('changes by authorizations', () => {
  let node: HardhatNode;
  let service: TestService;
  let number: number;
  let block: RpcBlockHeader;
  const hashes: string[] = [];

  before(async () => {
    node = await HardhatNode.launch();
    for (const { address } of [ALICE, BOB]) {
      await node.rpc.request('hardhat_setBalance', [address, toQuantity(10n ** 21n)]);
    }
    await node.rpc.request('hardhat_setBalance', [HOLDER.address, '0x5']);
    await node.rpc.request('hardhat_setCode', [WALLET, '0x00']);
    await node.rpc.request('hardhat_setCode', [RANDOM, '0x445f555f60015500']);
    await node.rpc.request('hardhat_setStorageAt', [RANDOM, '0x1', `0x${'1'.padStart(64, '0')}`]);
    await node.mine();
    await node.send(ALICE, {
      type: 4,
      to: BOB.address,
      maxFeePerGas: 10n ** 11n,
      authorizationList: [authorize(DELEGATING, WALLET, 0)],
    });
    await node.mine();
    for (const transaction of TRANSACTIONS) {
      hashes.push(
        await node.send(ALICE, {
          type: 4,
          to: BOB.address,
          maxFeePerGas: 10n ** 11n,
          value: 3n,
          ...transaction,
        }),
      );
    }
    await node.send(BOB, LAST);
    number = await node.mine();
    block = await call(node.url, 'eth_getBlockByNumber', toQuantity(number), false);
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(node.url, { hardfork: 'prague' })],
        abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await node.close();
  });

  /** By account: nonces and code before and after. */
  const EXPECTED: Record<number, [Wallet, [number, number], [string, string]?][]> = {
    0: [[FRESH, [0, 1], ['0x', delegation(WALLET)]]],
    1: [
      [HOLDER, [0, 1], ['0x', delegation(WALLET)]],
      [FRESH_TOO, [0, 1], ['0x', delegation(RANDOM)]],
    ],
    2: [[DELEGATING, [1, 2], [delegation(WALLET), '0x']]],
    3: [[FRESH, [1, 3], [delegation(WALLET), '0x']]],
    4: [],
    5: [[NONE, [0, 1]]],
  };
  /** By transaction: the accounts that did not exist before it. */
  const CREATED: Record<number, Wallet[]> = {
    0: [FRESH],
    1: [FRESH_TOO],
    2: [],
    3: [],
    4: [],
    5: [NONE],
  };
  for (const [index, accounts] of Object.entries(EXPECTED)) {
    it(`cost in a simulation what transaction ${index} costs`, async () => {
      const hash = hashes[Number(index)]!;
      const one = await call<RpcTransaction>(node.url, 'eth_getTransactionByHash', hash);
      const { from, to, value, input, gas, maxFeePerGas, maxPriorityFeePerGas } = one;
      const { data, message } = await service.request<Analysis>(
        'POST',
        '/v1/explorer/eth/simulate',
        {
          body: {
            from,
            to,
            value,
            data: input,
            gas,
            maxFeePerGas,
            maxPriorityFeePerGas,
            height: one.blockNumber,
            position: Number(index),
            ...(one.authorizationList && { authorizationList: one.authorizationList }),
          },
        },
      );
      assert.equal(message, 'OK');
      assert.deepEqual(data.failures, []);
      const receipt = await call<RpcReceipt>(node.url, 'eth_getTransactionReceipt', hash);
      const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice!);
      const gasProfile = data.gasProfile!;
      assert.equal(gasProfile.gasUsed, Number(receipt.gasUsed));
      const { intrinsicGas, executionGas, refund, floorGas } = gasProfile;
      assert.equal(intrinsicGas! + executionGas! - refund! + floorGas!, gasProfile.gasUsed);
      assert.equal(data.stateDiff!.fee.paid, fee.toString());
      const sender = data.stateDiff!.accounts.find(({ address }) => address === lower(ALICE));
      assert.deepEqual([sender?.balance?.fee, sender?.balance?.change], [`-${fee}`, '-3']);
      assert.equal(data.simulation?.native, 'verified');
    });

    it(`are shown for transaction ${index}, with its fee`, async () => {
      const hash = hashes[Number(index)]!;
      const path = `/v1/explorer/eth/transaction/${hash}/analysis?proof=wait`;
      const { data, message } = await service.request<Analysis>('GET', path);
      assert.equal(message, 'OK');
      assert.deepEqual(data.failures, []);
      const { method, faithful, native, firstDifference } = data.verification!;
      assert.deepEqual([method, faithful, native], ['replay', true, 'verified'], firstDifference);
      const receipt = await call<RpcReceipt>(node.url, 'eth_getTransactionReceipt', hash);
      const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice!);
      assert.equal(data.stateDiff!.fee.paid, fee.toString());
      assert.deepEqual(stateMoves(data), nativeMoves(data.balanceChange!));
      const changed = data.stateDiff!.accounts.flatMap(({ address, nonce, code }) => {
        const known = [FRESH, FRESH_TOO, HOLDER, DELEGATING, NONE].find(
          (one) => lower(one) === address,
        );
        return known ? [[address, nonce, code]] : [];
      });
      const sides = <T>(pair: [T, T] | undefined) => pair && { before: pair[0], after: pair[1] };
      assert.deepEqual(
        changed,
        accounts
          .map(([account, nonce, code]): [Address, unknown, unknown] => [
            lower(account),
            sides(nonce),
            sides(code),
          ])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      const created = data.stateDiff!.accounts.filter((one) => one.created);
      const expected = accounts.filter(([account]) => CREATED[Number(index)]!.includes(account));
      assert.deepEqual(
        created.map(({ address }) => address).filter((address) => address !== block.miner),
        expected.map(([account]) => lower(account)).sort(),
      );
      const sender = data.stateDiff!.accounts.find(({ address }) => address === lower(ALICE));
      assert.deepEqual([sender?.balance?.fee, sender?.balance?.change], [`-${fee}`, '-3']);
    });
  }

  it('are in the state of a fork after them', async () => {
    const fork = await createFork(service, { chainId: 1, height: toQuantity(number), position: 6 });
    assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
    const { miner } = (await node.rpc.request('eth_getBlockByNumber', [
      toQuantity(number),
      false,
    ])) as { miner: string };
    for (const address of [
      ...[FRESH, FRESH_TOO, HOLDER, DELEGATING, NONE, ALICE].map(lower),
      miner,
      RANDOM,
      WALLET,
    ]) {
      for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']) {
        assert.equal(
          await call(fork.rpc, method, address, 'latest'),
          await call(node.url, method, address, toQuantity(number)),
          `${method} ${address}`,
        );
      }
    }
    for (const slot of ['0x0', '0x1']) {
      assert.equal(
        await call(fork.rpc, 'eth_getStorageAt', RANDOM, slot, 'latest'),
        await call(node.url, 'eth_getStorageAt', RANDOM, slot, toQuantity(number)),
      );
    }
  });

  it('are in the state of a fork after the first of them, where no later code reads PREVRANDAO', async () => {
    const fork = await createFork(service, { chainId: 1, height: toQuantity(number), position: 1 });
    assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
    const before = BigInt(
      await call(node.url, 'eth_getBalance', ALICE.address, toQuantity(number - 1)),
    );
    const receipt = await call<RpcReceipt>(node.url, 'eth_getTransactionReceipt', hashes[0]);
    const paid = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice!) + 3n;
    assert.equal(
      BigInt(await call(fork.rpc, 'eth_getBalance', ALICE.address, 'latest')),
      before - paid,
    );
    assert.equal(await call(fork.rpc, 'eth_getCode', FRESH.address, 'latest'), delegation(WALLET));
  });
});
