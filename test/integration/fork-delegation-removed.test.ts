import assert from 'node:assert/strict';
import { Wallet } from 'ethers';
import type { Address } from '../../server/api/primitives';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import { HardhatNode } from '../support/hardhat-node';
import { call } from '../support/json-rpc';
import { PROJECT, TestForks } from './fork-service';
import { ALICE, BOB, ethChain, testEngines, type TestEngines } from './fork-upstream';

const NOBODY = `0x${'0'.repeat(40)}`;
/** Adds one to slot 0 of the executing account. */
const ADDER: Address = `0x${'ad'.repeat(20)}`;
const DELEGATING = new Wallet(`0x${'de'.repeat(32)}`);
const PAYMENTS = 160;
const FEES = { maxFeePerGas: 10n ** 11n };

/** The second transaction of the block removes the delegation; the first and the third one use it. */
describe('a fork after a removed delegation', () => {
  let node: HardhatNode;
  let engines: TestEngines;
  let service: TestForks;
  let block: number;

  before(async () => {
    [node, engines] = await Promise.all([HardhatNode.launch(), testEngines()]);
    for (const { address } of [ALICE, BOB]) {
      await node.rpc.request('hardhat_setBalance', [address, toQuantity(10n ** 21n)]);
    }
    await node.rpc.request('hardhat_setCode', [ADDER, '0x60015f54015f5500']);
    await node.mine();
    const delegate = (address: string, nonce: number) =>
      DELEGATING.authorizeSync({ address, nonce, chainId: 1 });
    const authorize = (address: string, nonce: number) => ({
      ...FEES,
      type: 4,
      to: BOB.address,
      authorizationList: [delegate(address, nonce)],
    });
    await node.send(ALICE, authorize(ADDER, 0));
    await node.mine();
    await node.send(ALICE, { ...FEES, to: DELEGATING.address });
    await node.send(ALICE, authorize(NOBODY, 1));
    await node.send(ALICE, { ...FEES, to: DELEGATING.address });
    for (let i = 0; i < PAYMENTS; i++) {
      await node.send(ALICE, { ...FEES, to: BOB.address, value: 1n, gasLimit: 21_000 });
    }
    block = await node.mine();
    service = await TestForks.open(engines, ethChain(node.url, { hardfork: 'prague' }));
  });
  after(async () => {
    await service.forks.deleteAllOf(PROJECT);
    await service.close();
    await Promise.all([node.close(), engines.close()]);
  });

  for (const [position, code, nonce] of [
    [1, `0xef0100${ADDER.slice(2)}`, 1],
    [2, '0x', 2],
    [153, '0x', 2],
    [undefined, '0x', 2],
  ] as const) {
    it(`has the account’s code, nonce and storage at position ${position ?? 'at the end'}`, async () => {
      const height = toQuantity(block);
      const fork = await service.create(position === undefined ? { height } : { height, position });
      if (position !== undefined)
        assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
      const read = (method: string, ...params: unknown[]) =>
        call(fork.rpc, method, DELEGATING.address, ...params, 'latest');
      assert.equal(await read('eth_getCode'), code);
      assert.equal(await read('eth_getTransactionCount'), toQuantity(nonce));
      assert.equal(await read('eth_getStorageAt', '0x0'), toWord(1));
      const payments = Math.max((position ?? PAYMENTS + 3) - 3, 0);
      const before = await call(node.url, 'eth_getBalance', BOB.address, toQuantity(block - 1));
      const paid = BigInt(await call(fork.rpc, 'eth_getBalance', BOB.address)) - BigInt(before);
      assert.equal(paid, BigInt(payments));
      // A call runs code only if the account still has some.
      await call(fork.rpc, 'eth_sendTransaction', { from: ALICE.address, to: DELEGATING.address });
      assert.equal(await read('eth_getStorageAt', '0x0'), toWord(code === '0x' ? 1 : 2));
    });
  }
});
