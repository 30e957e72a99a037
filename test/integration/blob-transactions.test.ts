import assert from 'node:assert/strict';
import type { Analysis } from '../../server/api/views';
import type { RpcReceipt } from '../../server/evm/forms/types';
import { call } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const blobs = (count: number) => ({
  type: 3,
  to: BOB.address,
  value: 5n,
  maxFeePerBlobGas: 10n ** 12n,
  blobVersionedHashes: Array.from({ length: count }, (_, i) => `0x01${String(i).repeat(62)}`),
});

describe('transactions with blobs', () => {
  let engines: TestEngines;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let service: TestService;
  let hash: string;

  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    await chain.engine.rpc.request('anvil_impersonateAccount', [ALICE.address]);
    // Full blocks raise the price of blob gas above its minimum.
    for (let block = 0; block < 30; block++) {
      await chain.send(ALICE, blobs(9));
      await chain.mine();
    }
    await chain.send(BOB, { to: ALICE.address, value: 1n });
    hash = await chain.send(ALICE, blobs(2));
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    proxy.fault = withoutDebugApi;
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(proxy.url, { hardfork: 'prague' })],
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
  });

  const analyze = async (place: string, of: string): Promise<Analysis> => {
    const path = `/v1/explorer/${place}/transaction/${of}/analysis?proof=wait`;
    const { data, message } = await service.request<Analysis>('GET', path);
    assert.equal(message, 'OK');
    return data;
  };

  /** Alice paid for gas and blobs, and her balance changed by nothing else. */
  function assertPaid(analysis: Analysis, receipt: RpcReceipt, blobCount: bigint): void {
    const price = BigInt(receipt.blobGasPrice!);
    assert.ok(price > 1n, 'not the lowest price');
    const paid =
      BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice!) + blobCount * 131_072n * price;
    assert.deepEqual(analysis.failures, []);
    assert.equal(analysis.stateDiff?.fee.paid, paid.toString());
    const alice = ALICE.address.toLowerCase();
    const { balance } = analysis.stateDiff.accounts.find(({ address }) => address === alice)!;
    assert.deepEqual([balance?.change, balance?.fee], ['-5', `-${paid}`]);
  }

  it('are executed again with the fee that the chain charged for the blobs', async () => {
    const analysis = await analyze('eth', hash);
    assert.equal(analysis.verification?.method, 'replay');
    assert.equal(analysis.stateDiff?.method, 'replay');
    // The engine of the test chain charges another blob price than its receipt states, and the proof detects it.
    const { level, native, reason = '' } = analysis.verification;
    assert.deepEqual([level, native], ['receipt', 'unchecked']);
    assert.match(reason, /^balance of 0x[0-9a-f]{40} is \d+ by the replay, \d+ on the chain$/);
    const receipt = await chain.engine.rpc.request('eth_getTransactionReceipt', [hash]);
    assertPaid(analysis, receipt as RpcReceipt, 2n);
    assert.deepEqual(analysis.transaction.blobs, {
      versionedHashes: blobs(2).blobVersionedHashes,
      maxFeePerGas: '1000000000000',
      gasUsed: 262_144,
      gasPrice: BigInt((receipt as RpcReceipt).blobGasPrice!).toString(),
    });
  });

  it('are analyzed on a fork with the fee of its receipt', async () => {
    const fork = await createFork(service, { chainId: 1, height: '0x1f' });
    const sent = await call(fork.rpc, 'eth_sendTransaction', {
      from: ALICE.address,
      to: BOB.address,
      value: '0x5',
      type: '0x3',
      maxFeePerBlobGas: '0xe8d4a51000',
      blobVersionedHashes: blobs(3).blobVersionedHashes,
    });
    const receipt = await call<RpcReceipt>(fork.rpc, 'eth_getTransactionReceipt', sent);
    const analysis = await analyze(fork.forkId, sent);
    assert.equal(analysis.verification?.native, 'verified', analysis.verification?.firstDifference);
    assertPaid(analysis, receipt, 3n);
  });
});
