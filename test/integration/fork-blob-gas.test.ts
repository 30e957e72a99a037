import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { Analysis } from '../../server/api/views';
import { headOfEngine } from '../../server/ethereum/block-header';
import { EngineBlobGas } from '../../server/execution/prefix/engine-blob-gas';
import type { RpcBlockHeader } from '../../server/ethereum/types';
import { blobPriceAt, nextExcessBlobGas } from '../../server/rules/blob-price';
import { toQuantity } from '../../server/ethereum/quantity';
import { call } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

/** Stores BLOBBASEFEE in slot 0 if it gets no call data, and returns it. */
const METER = `0x${'b1'.repeat(20)}`;
const METER_CODE = '0x4a36600857805f555b5f5260205ff3';
/** A mainnet block of 2026, in the second blob parameter fork. */
const [TIME, EXCESS] = [1_771_324_715, 171_155_899n];
const RULES = { chainId: 1, hardfork: 'osaka' } as const;
const PRICE = blobPriceAt(RULES, {
  excessBlobGas: toQuantity(EXCESS),
  timestamp: toQuantity(TIME),
})!;

describe('the blob gas of a fork of a chain with blob parameter forks', () => {
  let engines: TestEngines;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let service: TestService;
  /** The block with the excess. */
  let height: string;

  before(async function () {
    this.timeout(60_000);
    engines = await testEngines();
    chain = await TestChain.start(engines.start, 1, 'osaka');
    const { rpc } = chain.engine;
    await rpc.request('anvil_setCode', [METER, METER_CODE]);
    await chain.mine();
    await rpc.request('anvil_setBalance', [BOB.address, toQuantity(10n ** 24n)]);
    const head = await headOfEngine(rpc);
    // On the engine of the chain, a block has the header of a real one.
    const real = { ...head, excessBlobGas: toQuantity(EXCESS), timestamp: '0x0' as const };
    const plain = new EngineBlobGas(rpc, { chainId: 1, hardfork: 'prague' }, 1, real);
    await plain.enterOriginal(real);
    await rpc.request('evm_setNextBlockTimestamp', [TIME]);
    await chain.send(BOB, { to: ALICE.address });
    await rpc.request('evm_mine', []);
    const mined = await headOfEngine(rpc);
    height = mined.number;
    assert.deepEqual([BigInt(mined.excessBlobGas!), Number(mined.timestamp)], [EXCESS, TIME]);
    proxy = await UpstreamProxy.start(chain.engine.url);
    proxy.fault = withoutDebugApi;
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(proxy.url, { hardfork: 'osaka' })],
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
  });

  const metered = async (rpc: string, block = 'latest'): Promise<bigint> =>
    BigInt(await call(rpc, 'eth_call', { to: METER, data: '0x01' }, block));
  const stored = async (rpc: string): Promise<bigint> => {
    await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: METER });
    return BigInt(await call(rpc, 'eth_getStorageAt', METER, '0x0', 'latest'));
  };
  const nextPrice = async (rpc: string): Promise<bigint> =>
    BigInt(await call(rpc, 'eth_blobBaseFee'));

  for (const antiReplay of [false, true]) {
    it(`has the chain's price in calls, in its blocks and after them${antiReplay ? ', with a chain id of its own' : ''}`, async () => {
      const { rpc } = await createFork(service, { chainId: 1, height, antiReplay });
      assert.equal(await metered(rpc), PRICE);
      assert.equal(await nextPrice(rpc), PRICE, 'the reserve price holds it (EIP-7918)');
      assert.equal(await stored(rpc), PRICE);
      assert.equal(await metered(rpc), PRICE);
      assert.equal(await call(rpc, 'eth_chainId'), antiReplay ? '0x2707' : '0x1');
      await call(rpc, 'evm_mine');
      await call(rpc, 'hardhat_mine', '0x5');
      assert.equal(await nextPrice(rpc), PRICE);
      assert.equal(await stored(rpc), PRICE);
    });
  }

  it('is in simulations, with the excess of their blocks', async () => {
    const { data, message } = await service.request<Analysis>('POST', '/v1/explorer/eth/simulate', {
      body: { from: ALICE.address, to: METER, data: '0x01', height },
    });
    assert.equal(message, 'OK');
    const [top] = Object.values(data.dataMap).flatMap((node) =>
      'invocation' in node ? [node.invocation] : [],
    );
    assert.equal(BigInt(top!.output), PRICE);
    const { rpc } = await createFork(service, { chainId: 1, height });
    const [first, second] = await call<(RpcBlockHeader & { calls: { returnData: string }[] })[]>(
      rpc,
      'eth_simulateV1',
      {
        blockStateCalls: [
          { blockOverrides: { baseFeePerGas: '0x7' }, calls: [{ to: METER, input: '0x01' }] },
          {},
        ],
      },
      'latest',
    );
    assert.equal(BigInt(first!.calls[0]!.returnData), PRICE);
    assert.equal(BigInt(first!.excessBlobGas!), EXCESS);
    assert.equal(BigInt(second!.excessBlobGas!), EXCESS - 14n * 131_072n);
  });

  it('falls by the target of the schedule while the base fee is low', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    await call(rpc, 'anvil_setNextBlockBaseFeePerGas', '0x7');
    await call(rpc, 'evm_mine');
    let header: RpcBlockHeader = {
      ...(await call<RpcBlockHeader>(rpc, 'eth_getBlockByNumber', 'latest', false)),
      excessBlobGas: toQuantity(EXCESS),
    };
    assert.equal(header.baseFeePerGas, '0x7');
    for (let i = 0; i < 4; i++) {
      const excess = nextExcessBlobGas(RULES, header, TIME + 1)!;
      assert.ok(excess < BigInt(header.excessBlobGas!));
      header = { ...header, excessBlobGas: toQuantity(excess) };
      const price = blobPriceAt(RULES, header)!;
      assert.equal(await nextPrice(rpc), price);
      await call(rpc, 'evm_mine');
      assert.equal(await metered(rpc), price);
    }
  });

  it('is the same after a revert', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    const snapshot = await call(rpc, 'evm_snapshot');
    await call(rpc, 'anvil_setNextBlockBaseFeePerGas', '0x7');
    await call(rpc, 'hardhat_mine', '0x3');
    assert.notEqual(await nextPrice(rpc), PRICE);
    const inside = await call(rpc, 'evm_snapshot');
    const [price, next] = [await metered(rpc), await nextPrice(rpc)];
    await call(rpc, 'evm_mine');
    await call(rpc, 'evm_revert', inside);
    assert.deepEqual([await metered(rpc), await nextPrice(rpc)], [price, next]);
    await call(rpc, 'evm_revert', snapshot);
    assert.deepEqual([await metered(rpc), await nextPrice(rpc)], [PRICE, PRICE]);
    assert.equal(await stored(rpc), PRICE);
  });

  it('is the same inside a block, and in a dump there are blocks of the fork only', async () => {
    const number = Number((await headOfEngine(chain.engine.rpc)).number);
    await chain.send(BOB, { to: METER });
    await chain.send(BOB, { to: ALICE.address });
    // The engine of the chain prices its blocks by Prague's rules: the excess counts.
    const head = await headOfEngine(chain.engine.rpc);
    const plain = new EngineBlobGas(chain.engine.rpc, { chainId: 1, hardfork: 'prague' }, 1, head);
    await plain.enterOriginal({ ...head, excessBlobGas: toQuantity(EXCESS), timestamp: '0x0' });
    await chain.engine.rpc.request('evm_setNextBlockTimestamp', [TIME + 12]);
    await chain.engine.rpc.request('evm_mine', []);
    const { rpc } = await createFork(service, {
      ...{ chainId: 1, height: toQuantity(number + 1), position: 1 },
    });
    assert.equal(BigInt(await call(rpc, 'eth_getStorageAt', METER, '0x0', 'latest')), PRICE);
    assert.equal(await metered(rpc), PRICE);
    assert.equal(await stored(rpc), PRICE);
    const dump = await call(rpc, 'anvil_dumpState');
    const { blocks } = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()) as {
      blocks: { header: { number: string } }[];
    };
    const numbers = blocks.map(({ header }) => Number(header.number));
    assert.ok(Math.max(...numbers) <= Number(await call(rpc, 'eth_blockNumber')), numbers.join());
  });

  it('follows the schedule in all blocks of a simulation', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    const block = { blockOverrides: { baseFeePerGas: '0x7' } };
    const blocks = await call<RpcBlockHeader[]>(
      rpc,
      'eth_simulateV1',
      { blockStateCalls: [block, block, block, {}] },
      'latest',
    );
    const target = 14n * 131_072n;
    // The first has the reserve price (EIP-7918): its parent's base fee is high.
    assert.deepEqual(
      blocks.map(({ excessBlobGas }) => BigInt(excessBlobGas!)),
      [EXCESS, EXCESS - target, EXCESS - 2n * target, EXCESS - 3n * target],
    );
  });

  it('is not known to calls on pending and older blocks, nor to later blocks of a simulation', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    await call(rpc, 'anvil_setNextBlockBaseFeePerGas', '0x7');
    for (let i = 0; i < 3; i++) await call(rpc, 'evm_mine');
    const price = await metered(rpc);
    const head = await call(rpc, 'eth_blockNumber');
    assert.equal(await metered(rpc, head), price);
    assert.notEqual(price, 1n);
    assert.equal(await metered(rpc, 'pending'), 1n);
    assert.equal(await metered(rpc, toQuantity(BigInt(head) - 1n)), 1n);
    const read = { calls: [{ to: METER, input: '0x01' }] };
    const simulated = await call<{ calls: { returnData: string }[] }[]>(
      rpc,
      'eth_simulateV1',
      { blockStateCalls: [read, read] },
      'latest',
    );
    for (const { calls } of simulated) assert.equal(BigInt(calls[0]!.returnData), price);
  });
});
