import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Transaction, type Wallet } from 'ethers';
import type { Chain } from '../../server/api/config';
import type { RpcBlock, RpcBlockHeader, RpcReceipt } from '../../server/evm/forms/types';
import { fetchBlock, fetchReceipts } from '../../server/execution/prefix/upstream-block';
import { call, refusal } from '../support/json-rpc';
import { eachObject, UpstreamProxy } from '../support/upstream-proxy';
import { PROJECT, TestForks } from './fork-service';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

/** EIP-4844, with the target and the maximum of EIP-7691. */
const GAS_PER_BLOB = 131_072;
const TARGET = 6;
const MAX_BLOBS = 9;
const PRICE = 10n ** 10n;

/** The commitment of a blob of zeros, and its proof, are the point at infinity. */
const INFINITY = `0xc0${'00'.repeat(47)}`;
const ZERO_BLOB = { data: `0x${'00'.repeat(GAS_PER_BLOB)}`, commitment: INFINITY, proof: INFINITY };
const ZERO_HASH = `0x01${createHash('sha256')
  .update(Buffer.from(INFINITY.slice(2), 'hex'))
  .digest('hex')
  .slice(2)}`;

type Header = RpcBlockHeader & { blobGasUsed: string };

/** In each block: 6 blobs of Alice, 3 of Bob, and a transaction of Alice without blobs. */
describe('blob transactions', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;
  let block: RpcBlock;
  let originals: RpcReceipt[];
  let height: string;
  let parent: string;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const { rpc } = chain.engine;
    for (const { address } of [ALICE, BOB]) {
      await rpc.request('anvil_impersonateAccount', [address]);
    }
    const blobs = (count: number) => ({
      to: COUNTER,
      type: 3,
      maxFeePerBlobGas: PRICE,
      blobVersionedHashes: Array.from({ length: count }, () => ZERO_HASH),
    });
    // Every block is full, so the price of blobs rises.
    for (let i = 0; i < 70; i++) {
      await chain.send(ALICE, blobs(TARGET));
      await chain.send(BOB, blobs(MAX_BLOBS - TARGET));
      await chain.send(ALICE, { to: COUNTER });
      block = (await fetchBlock(rpc, await chain.mine()))!;
      assert.equal(block.transactions.length, 3);
    }
    height = block.number;
    parent = `0x${(Number(height) - 1).toString(16)}`;
    proxy = await UpstreamProxy.start(chain.engine.url);
    // This node charges the price of its own rules, but its receipts contain the price of older rules.
    const [, receipt] = await fetchReceipts(rpc, block, 2);
    const paid =
      (await balanceAt(proxy.url, parent, BOB)) - (await balanceAt(proxy.url, height, BOB));
    const blobGasPrice = (paid - gasCost(receipt!)) / BigInt(receipt!.blobGasUsed!);
    rewriteReceipts({ blobGasPrice: `0x${blobGasPrice.toString(16)}` });
    service = await open({});
    originals = await call(proxy.url, 'eth_getBlockReceipts', height);
    assert.equal(originals[0]!.blobGasPrice, '0xe1');
  });
  after(async () => {
    await service.close();
    await proxy.close();
    await engines.close();
  });
  afterEach(() => service.forks.deleteAllOf(PROJECT));

  const open = (changes: Partial<Chain>): Promise<TestForks> =>
    TestForks.open(engines, ethChain(proxy.url, changes));

  /** @param second fields of the block's second transaction */
  function rewriteReceipts(fields: object, second: object = {}): void {
    proxy.rewrite = (answer) =>
      eachObject(answer, (one) => {
        if ('blobGasPrice' in one) return { ...one, ...fields };
        return one['transactionIndex'] === '0x1' && 'input' in one ? { ...one, ...second } : one;
      });
  }

  const headerOf = (rpc: string, tag: string) =>
    call<Header>(rpc, 'eth_getBlockByNumber', tag, false);

  for (const antiReplay of [false, true]) {
    it(`of a replayed block cost the same as on the chain${antiReplay ? ', with anti-replay' : ''}`, async () => {
      const [original] = originals;
      const { rpc, replay } = await service.create({ height, position: 1, antiReplay });
      assert.deepEqual(replay, { faithful: true, executor: 'anvil' });
      const receipt = await call<RpcReceipt>(
        rpc,
        'eth_getTransactionReceipt',
        original!.transactionHash,
      );
      for (const field of ['type', 'blobGasUsed', 'blobGasPrice', 'effectiveGasPrice'] as const) {
        assert.equal(receipt[field], original![field], field);
      }
      assert.equal(Number(receipt.blobGasUsed), TARGET * GAS_PER_BLOB);
      const cost = gasCost(receipt) + BigInt(receipt.blobGasUsed!) * BigInt(receipt.blobGasPrice!);
      assert.equal(
        await balanceAt(rpc, 'latest', ALICE),
        (await balanceAt(proxy.url, parent, ALICE)) - cost,
      );
      assert.equal((await headerOf(rpc, height)).excessBlobGas, block.excessBlobGas);
    });
  }

  it('cost the same as on the chain beside transactions that only their chain can execute', async () => {
    const price = { blobGasPrice: originals[0]!.blobGasPrice };
    rewriteReceipts(price, { type: '0x68' });
    // The other service has kept this block as it was.
    const other = await open({});
    try {
      const { rpc, replay } = await other.create({ height, position: 2 });
      assert.equal(replay?.faithful, true);
      assert.equal(replay.foreign?.[0]?.applied, true);
      await assertPaid(rpc);
    } finally {
      rewriteReceipts(price);
      await other.forks.deleteAllOf(PROJECT);
      await other.close();
    }
  });

  it('are executed if the engine allows fewer in a block than the chain', async () => {
    const other = await open({ hardfork: 'cancun' });
    try {
      const { rpc, replay } = await other.create({ height, position: 2 });
      assert.deepEqual(replay, { faithful: true, executor: 'anvil' });
      await assertPaid(rpc);
      assert.equal(await balanceAt(rpc, 'latest', BOB), await balanceAt(proxy.url, height, BOB));
      await call(rpc, 'evm_mine');
      assert.deepEqual(await call(rpc, 'eth_getBlockReceipts', 'latest'), []);
    } finally {
      await other.forks.deleteAllOf(PROJECT);
      await other.close();
    }
  });

  /** Alice has the same balance in wei as on the chain before her second transaction. */
  async function assertPaid(rpc: string): Promise<void> {
    const expected = (await balanceAt(proxy.url, height, ALICE)) + gasCost(originals[2]!);
    assert.equal(await balanceAt(rpc, 'latest', ALICE), expected);
  }

  it('pass their excess on to the blocks of the fork', async () => {
    const { rpc } = await service.create({ height });
    let before = await headerOf(rpc, 'latest');
    assert.equal(Number(before.blobGasUsed), MAX_BLOBS * GAS_PER_BLOB);
    for (let i = 0; i < 3; i++) {
      await call(rpc, 'evm_mine');
      const header = await headerOf(rpc, 'latest');
      const excess =
        Number(before.excessBlobGas) + Number(before.blobGasUsed) - TARGET * GAS_PER_BLOB;
      assert.equal(Number(header.excessBlobGas), excess);
      assert.equal(header.blobGasUsed, '0x0');
      before = header;
    }
  });

  it('are accepted with their blobs, signed for the fork and no other chain', async () => {
    const { rpc } = await service.create({ height, position: 1, antiReplay: true });
    const nonce = Number(await call(rpc, 'eth_getTransactionCount', BOB.address, 'latest'));
    const signed = (chainId: number): string => {
      const transaction = Transaction.from({
        type: 3,
        to: COUNTER,
        gasLimit: 100_000,
        nonce,
        chainId,
        maxFeePerGas: PRICE,
        maxPriorityFeePerGas: 1n,
        maxFeePerBlobGas: PRICE,
        blobVersionedHashes: [ZERO_HASH],
      });
      transaction.signature = BOB.signingKey.sign(transaction.unsignedHash);
      transaction.blobs = [ZERO_BLOB];
      return transaction.serialized;
    };
    const { message } = await refusal(rpc, 'eth_sendRawTransaction', signed(1));
    assert.match(message, /signed for chain 1, this fork is chain 9991/);
    const before = await balanceAt(rpc, 'latest', BOB);
    const hash = await call(rpc, 'eth_sendRawTransaction', signed(9991));
    const receipt = await call<RpcReceipt>(rpc, 'eth_getTransactionReceipt', hash);
    assert.equal(receipt.status, '0x1');
    assert.equal(Number(receipt.blobGasUsed), GAS_PER_BLOB);
    // The paid amount equals the receipt.
    const paid = before - (await balanceAt(rpc, 'latest', BOB)) - gasCost(receipt);
    assert.equal(BigInt(receipt.blobGasPrice!) * BigInt(GAS_PER_BLOB), paid);
    const [again] = await call<RpcReceipt[]>(rpc, 'eth_getBlockReceipts', 'latest');
    assert.deepEqual(again, receipt);
    assert.equal(Number((await headerOf(rpc, 'latest')).blobGasUsed), GAS_PER_BLOB);
  });
});

async function balanceAt(url: string, tag: string, { address }: Wallet): Promise<bigint> {
  return BigInt(await call(url, 'eth_getBalance', address, tag));
}

const gasCost = ({ gasUsed, effectiveGasPrice }: RpcReceipt): bigint =>
  BigInt(gasUsed) * BigInt(effectiveGasPrice!);
