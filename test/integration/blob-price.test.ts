import assert from 'node:assert/strict';
import type { Analysis } from '../../server/api/views';
import type { RpcReceipt } from '../../server/evm/forms/types';
import { toQuantity } from '../../server/evm/forms/quantity';
import { call } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';
import { eachObject, UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const blobs = (count: number) => ({
  type: 3,
  to: BOB.address,
  value: 5n,
  maxFeePerBlobGas: 10n ** 12n,
  blobVersionedHashes: Array.from({ length: count }, (_, i) => `0x01${String(i).repeat(62)}`),
});

for (const hardfork of ['prague', 'osaka'] as const) {
  describe(`the blob fee under ${hardfork} rules, if the node omits blobGasPrice`, function () {
    this.timeout(60_000);
    let engines: TestEngines;
    let chain: TestChain;
    let proxy: UpstreamProxy;
    let service: TestService;
    let hash: string;
    let block: number;

    before(async () => {
      engines = await testEngines();
      chain = await TestChain.start(engines.start, 1, hardfork);
      await chain.engine.rpc.request('anvil_impersonateAccount', [ALICE.address]);
      // Full blocks raise the price.
      for (let i = 0; i < 50; i++) {
        await chain.send(ALICE, blobs(9));
        await chain.mine();
      }
      hash = await chain.send(ALICE, blobs(2));
      await chain.send(BOB, { to: ALICE.address });
      block = await chain.mine();
      proxy = await UpstreamProxy.start(chain.engine.url);
      proxy.fault = withoutDebugApi;
      proxy.rewrite = (answer) =>
        eachObject(answer, (one) => {
          const { blobGasPrice, ...rest } = one;
          return blobGasPrice === undefined ? one : rest;
        });
      service = await startService({
        config: { chains: [ethChain(proxy.url, { hardfork })], prices: { source: 'none' } },
      });
    });
    after(async () => {
      await service.stop();
      await proxy.close();
      await engines.close();
    });

    const balance = async (url: string, tag: string): Promise<bigint> =>
      BigInt(await call(url, 'eth_getBalance', ALICE.address, tag));
    const paidOnChain = async (): Promise<bigint> =>
      (await balance(chain.engine.url, toQuantity(block - 1))) -
      (await balance(chain.engine.url, toQuantity(block))) -
      5n;

    it('is computed from the header', async () => {
      const path = `/v1/explorer/eth/transaction/${hash}/analysis?proof=wait`;
      const { data, message } = await service.request<Analysis>('GET', path);
      assert.equal(message, 'OK');
      const paid = await paidOnChain();
      const receipt = await call<RpcReceipt>(chain.engine.url, 'eth_getTransactionReceipt', hash);
      const price =
        (paid - BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice!)) / (2n * 131_072n);
      assert.ok(price > 1n, 'not the lowest price');
      assert.equal(data.transaction.blobs?.gasPrice, price.toString());
      assert.equal(data.stateDiff?.fee.paid, paid.toString());
      assert.equal(data.verification?.native, 'verified', data.verification?.firstDifference);
      const alice = ALICE.address.toLowerCase();
      const change = data.stateDiff.accounts.find(({ address }) => address === alice)?.balance;
      assert.deepEqual([change?.change, change?.fee], ['-5', `-${paid}`]);
    });

    it('is paid on a fork after the block', async () => {
      const fork = await createFork(service, {
        chainId: 1,
        height: toQuantity(block),
        position: 1,
      });
      assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
      assert.equal(
        await balance(fork.rpc, 'latest'),
        await balance(chain.engine.url, toQuantity(block)),
      );
    });
  });
}
