import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { Analysis } from '../../server/api/views';
import { headOfEngine } from '../../server/evm/forms/block-header';
import { EngineBlobGas } from '../../server/execution/prefix/engine-blob-gas';
import type { RpcBlockHeader } from '../../server/evm/forms/types';
import { blobPriceAt, nextExcessBlobGas } from '../../server/evm/rules/blob-price';
import { fakeExponential } from '../../server/evm/rules/fake-exponential';
import { toQuantity } from '../../server/evm/forms/quantity';
import { call, refusal } from '../support/json-rpc';
import { createFork, type TestService } from '../support/service';
import {
  BPO2,
  EXCESS,
  METER,
  startBlobGasService,
  TIME,
  type BlobGasService,
} from './blob-gas-service';
import { ALICE, BOB, type TestChain } from './fork-upstream';

const RULES = { chainId: 1, hardfork: 'osaka' } as const;
const PRICE = blobPriceAt(RULES, {
  excessBlobGas: toQuantity(EXCESS),
  timestamp: toQuantity(TIME),
})!;

type Simulated = RpcBlockHeader & { calls: { returnData: string; status: string }[] };

describe('the blob gas of a fork of a chain with blob parameter forks', () => {
  let started: BlobGasService;
  let service: TestService;
  let chain: TestChain;
  let height: string;
  let beforeFork: string;

  before(async function () {
    this.timeout(60_000);
    started = await startBlobGasService();
    ({ service, chain, height, beforeFork } = started);
  });
  after(() => started.close());

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
      chainId: 1,
      height: toQuantity(number + 1),
      position: 1,
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

  it('is that of each block in a simulation, which calls change for later ones', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    const low = { baseFeePerGas: '0x7' };
    const read = { to: METER, input: '0x01' };
    const simulated = await call<Simulated[]>(
      rpc,
      'eth_simulateV1',
      {
        blockStateCalls: [
          { blockOverrides: low, calls: [read, { to: METER }] },
          { blockOverrides: low, calls: [read] },
          { calls: [read, { to: METER, input: '0x01', from: METER }] },
        ],
      },
      'latest',
    );
    for (const block of simulated) {
      const price = blobPriceAt(RULES, block)!;
      for (const { returnData, status } of block.calls) {
        assert.deepEqual([BigInt(returnData), status], [price, '0x1']);
      }
    }
    const [first, second] = simulated.map(({ calls }) => calls[0]!.returnData);
    assert.notEqual(first, second);
  });

  it('changes its schedule within a simulation', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height: beforeFork });
    const read = {
      calls: [{ to: METER, input: '0x01' }],
      blockOverrides: { baseFeePerGas: '0x7' },
    };
    const simulated = await call<Simulated[]>(
      rpc,
      'eth_simulateV1',
      { blockStateCalls: [read, read, read] },
      'latest',
    );
    // The second block is the first one after the second blob parameter fork: its target is 14 instead of 10.
    assert.deepEqual(
      simulated.map(({ timestamp }) => Number(timestamp) - BPO2),
      [-2, 10, 22],
    );
    const excess = simulated.map(({ excessBlobGas }) => BigInt(excessBlobGas!));
    assert.deepEqual(
      excess.slice(1).map((one, index) => excess[index]! - one),
      [14n * 131_072n, 14n * 131_072n],
    );
    assert.deepEqual(
      simulated.map(({ calls }) => BigInt(calls[0]!.returnData)),
      excess.map((one, index) => fakeExponential(1n, one, index === 0 ? 8_346_193n : 11_684_671n)),
    );
  });

  it('changes its schedule in a mined block', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height: beforeFork });
    const parent: RpcBlockHeader = {
      ...(await call<RpcBlockHeader>(rpc, 'eth_getBlockByNumber', 'latest', false)),
      excessBlobGas: toQuantity(EXCESS),
    };
    const time = BPO2 + 100;
    await call(rpc, 'evm_setNextBlockTimestamp', time);
    await call(rpc, 'evm_mine');
    const excess = nextExcessBlobGas(RULES, parent, time)!;
    assert.equal(await metered(rpc), fakeExponential(1n, excess, 11_684_671n));
  });

  it('says so where a simulation with a fee reads it', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    const simulated = (to: string): object => {
      const paid = { from: ALICE.address, to, gas: '0xfffff', maxFeePerGas: '0x174876e800' };
      return { blockStateCalls: [{ calls: [paid] }, {}] };
    };
    assert.deepEqual(await refusal(rpc, 'eth_simulateV1', simulated(METER), 'latest'), {
      code: -32004,
      message:
        'BLOBBASEFEE in this block is not known to the engine, and the calls were not executed with the right one: a call has a fee or blobs',
    });
    const blocks = await call<Simulated[]>(rpc, 'eth_simulateV1', simulated(BOB.address), 'latest');
    assert.equal(blocks[0]!.calls[0]!.status, '0x1');
  });
});
