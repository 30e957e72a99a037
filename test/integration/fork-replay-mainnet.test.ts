import assert from 'node:assert/strict';
import { applyTransactions } from '../../server/execution/prefix/apply-prefix';
import { readState } from '../../server/execution/prefix/read-state';
import { fetchBlock, fetchReceipts } from '../../server/execution/prefix/upstream-block';
import type { Engine } from '../../server/evm/forms/engine';
import type { RpcBlock } from '../../server/evm/forms/types';
import { toWord } from '../../server/evm/forms/quantity';
import { LOTTERY } from '../support/mainnet-contracts';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { testEngines, type TestEngines } from './fork-upstream';

/** System contracts, written at the start of each block. This upstream omits them. */
const SYSTEM = [
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
];

describe('the replay of blocks of an independent node', () => {
  let mainnet: MainnetUpstream;
  let engines: TestEngines;
  let engine: Engine;
  before(async () => {
    [mainnet, engines] = await Promise.all([MainnetUpstream.start({ huge: true }), testEngines()]);
  });
  after(() => Promise.all([mainnet.close(), engines.close()]));
  afterEach(() => engine.stop());

  async function replay(number: number, count?: number): Promise<RpcBlock> {
    engine = await engines.start({
      upstream: { url: mainnet.url, blockNumber: number - 1 },
      chainId: 1,
      hardfork: 'prague',
    });
    const block = await fetchBlock(mainnet.rpc, number);
    assert.ok(block);
    const applied = count ?? block.transactions.length;
    const receipts = await fetchReceipts(mainnet.rpc, block, applied);
    assert.deepEqual(
      await applyTransactions(engine.rpc, block, applied, { receipts, upstream: mainnet.rpc }),
      {
        applied,
      },
    );
    return block;
  }

  /** Compares every account and slot that the replay touched. */
  async function assertSameState(block: RpcBlock): Promise<number> {
    const ask = async (method: string, ...params: string[]) =>
      (await mainnet.rpc.request(method, [...params, block.number])) as string;
    const state = await readState(engine.rpc);
    let slots = 0;
    for (const [address, { balance, nonce, storage }] of state) {
      if (SYSTEM.includes(address)) continue;
      assert.equal(BigInt(await ask('eth_getBalance', address)), balance, address);
      assert.equal(BigInt(await ask('eth_getTransactionCount', address)), nonce, address);
      for (const [slot, value] of storage) {
        assert.equal(await ask('eth_getStorageAt', address, slot), value, `${address} ${slot}`);
        slots += 1;
      }
    }
    return slots;
  }

  it('produces the receipts and the state of a block of 10 transactions, some of which read PREVRANDAO', async () => {
    const block = await replay(mainnet.busy);
    assert.ok((await assertSameState(block)) >= 3);
    const mined = await fetchBlock(engine.rpc, mainnet.busy);
    assert.deepEqual(
      mined?.transactions.map(({ hash }) => hash),
      block.transactions.map(({ hash }) => hash),
    );
    assert.equal(mined.timestamp, block.timestamp);
    assert.equal(mined.miner, block.miner);
  });

  it('produces those of a block of 200 transactions, some of which depend on others', async () => {
    assert.ok((await assertSameState(await replay(mainnet.huge))) >= 200);
  });

  it("leaves no trace of the engine's own random number", async () => {
    const { mixHash } = await replay(mainnet.busy, 4);
    const slot = (at: string) =>
      engine.rpc.request('eth_getStorageAt', [LOTTERY.address, at, 'latest']);
    assert.equal(await slot('0x0'), mixHash);
    assert.equal(await slot(mixHash ?? ''), toWord(1));
    const { mixHash: drawn } = (await fetchBlock(engine.rpc, mainnet.busy)) ?? {};
    assert.notEqual(drawn, mixHash);
    assert.equal(await slot(drawn ?? ''), toWord(0));
  });

  it('writes the beacon root (EIP-4788) and the parent hash (EIP-2935)', async () => {
    const { number, timestamp, parentBeaconBlockRoot, parentHash } = await replay(mainnet.busy, 1);
    const slot = (address: string | undefined, at: bigint) =>
      engine.rpc.request('eth_getStorageAt', [address, `0x${at.toString(16)}`, 'latest']);
    const time = BigInt(timestamp);
    assert.equal(await slot(SYSTEM[0], time % 8191n), toWord(time));
    assert.equal(await slot(SYSTEM[0], (time % 8191n) + 8191n), parentBeaconBlockRoot);
    assert.equal(await slot(SYSTEM[1], (BigInt(number) - 1n) % 8191n), parentHash);
  });
});
