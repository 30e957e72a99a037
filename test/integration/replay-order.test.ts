import assert from 'node:assert/strict';
import type { Analysis } from '../../server/api/views';
import type { RpcBlock } from '../../server/evm/forms/types';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import { HardhatNode } from '../support/hardhat-node';
import { call } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';
import { ALICE, BOB, ethChain } from './fork-upstream';

/** Adds one to as many slots as its call data says. */
const WRITER = `0x${'71'.repeat(20)}`;
const WRITER_CODE = '0x5f5b805f3514601657805460010181556001016001565b00';
/** Stores PREVRANDAO in slot 0, and the balance of the fee recipient in slot 1. */
const READER = `0x${'72'.repeat(20)}`;
const READER_CODE = '0x445f55413160015500';
/** Each changes some three accounts more: the engine's lists of 50 calls end before, inside and after the changes. */
const SLOTS = Array.from({ length: 12 }, (_, i) => 42 + i).concat(96, 97, 98);
/** Calls the account in slot 0: each of a chain of such contracts shows the next one only when it is executed. */
const HOP_CODE = '0x5f5f5f5f5f5f545af15000';
const HOPS = 45;
const hop = (index: number): string => `0x${(0x7300 + index).toString(16).padStart(40, '4')}`;
const FEES = { maxFeePerGas: 10n ** 11n };

describe('a replay without the debug API', () => {
  let node: HardhatNode;
  let service: TestService;
  let block: RpcBlock;
  /** A transaction through all hops. */
  let hopping: string;

  before(async function () {
    this.timeout(60_000);
    node = await HardhatNode.launch();
    for (const { address } of [ALICE, BOB]) {
      await node.rpc.request('hardhat_setBalance', [address, toQuantity(10n ** 21n)]);
    }
    await node.rpc.request('hardhat_setCode', [WRITER, WRITER_CODE]);
    await node.rpc.request('hardhat_setCode', [READER, READER_CODE]);
    for (let index = 0; index < HOPS; index++) {
      await node.rpc.request('hardhat_setCode', [hop(index), HOP_CODE]);
      const next = index + 1 === HOPS ? '0x0' : hop(index + 1);
      await node.rpc.request('hardhat_setStorageAt', [hop(index), '0x0', toWord(BigInt(next))]);
    }
    await node.mine();
    hopping = await node.send(ALICE, { ...FEES, to: hop(0), gasLimit: 2_000_000 });
    await node.mine();
    for (const count of SLOTS) {
      const gasLimit = 60_000 + count * 23_000;
      await node.send(ALICE, { ...FEES, to: WRITER, data: toWord(count), gasLimit });
      await node.send(BOB, { ...FEES, to: READER, gasLimit: 100_000 });
    }
    // It pays no tip, so that the state after the block shows the one before it.
    await node.send(BOB, { ...FEES, to: BOB.address, maxPriorityFeePerGas: 0n, gasLimit: 21_000 });
    const number = await node.mine();
    block = await call<RpcBlock>(node.url, 'eth_getBlockByNumber', toQuantity(number), true);
    assert.equal(block.transactions.length, SLOTS.length * 2 + 1);
    await node.mine();
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

  it('leaves each account as on the chain if transactions change many slots', async () => {
    const fork = await createFork(service, {
      chain: 'eth',
      chainId: 1,
      height: block.number,
      position: SLOTS.length * 2,
    });
    const reads: [method: string, ...params: string[]][] = [
      ['eth_getBalance', block.miner],
      ['eth_getBalance', ALICE.address],
      ['eth_getStorageAt', READER, '0x0'],
      ['eth_getStorageAt', READER, '0x1'],
      ...Array.from({ length: 98 }, (_, slot): [string, string, string] => [
        ...(['eth_getStorageAt', WRITER, toQuantity(slot)] as const),
      ]),
    ];
    for (const [method, ...params] of reads) {
      assert.equal(
        await call(fork.rpc, method, ...params, 'latest'),
        await call(node.url, method, ...params, block.number),
        [method, ...params].join(' '),
      );
    }
  });

  it('proves the balance of the fee recipient after each of them', async () => {
    const { transactions, miner } = block;
    for (const index of [2 * SLOTS.length - 1, SLOTS.length]) {
      const path = `/v1/explorer/eth/transaction/${transactions[index]!.hash}/analysis?proof=wait`;
      const { data } = await service.request<Analysis>('GET', path);
      assert.equal(data.verification?.level, 'state-proved', data.verification?.reason);
      const [recipient] = data.stateDiff!.accounts.filter(({ address }) => address === miner);
      const [before, after] = [index, index + 1].map((position) => tipsOf(position));
      assert.deepEqual(recipient?.balance, {
        before: (await before)!.toString(),
        after: (await after)!.toString(),
        change: '0',
        fee: ((await after)! - (await before)!).toString(),
      });
    }
  });

  it('is analyzed if its state shows in more rounds than the first attempt makes', async () => {
    const path = `/v1/explorer/eth/transaction/${hopping}/analysis?proof=wait`;
    const { code, data } = await service.request<Analysis>('GET', path);
    assert.equal(code, 0);
    assert.deepEqual(data.failures, []);
    assert.equal(data.verification?.level, 'state-proved', data.verification?.reason);
    const calls = Object.values(data.dataMap).filter((one) => 'invocation' in one);
    // The sender, and the call of no account at the end.
    assert.equal(calls.length, HOPS + 2);
  });

  /** Tips of the transactions before a position, which are all that the fee recipient has. */
  async function tipsOf(position: number): Promise<bigint> {
    let tips = 0n;
    for (const { hash } of block.transactions.slice(0, position)) {
      const receipt = await call<Record<'gasUsed' | 'effectiveGasPrice', string>>(
        ...([node.url, 'eth_getTransactionReceipt', hash] as const),
      );
      const tip = BigInt(receipt.effectiveGasPrice) - BigInt(block.baseFeePerGas!);
      tips += BigInt(receipt.gasUsed) * tip;
    }
    return tips;
  }
});
