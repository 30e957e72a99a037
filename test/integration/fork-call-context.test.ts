import assert from 'node:assert/strict';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcBlockHeader } from '../../server/evm/forms/types';
import { call } from '../support/json-rpc';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { PROJECT, TestForks } from './fork-service';
import { ethChain, testEngines, type TestEngines } from './fork-upstream';

/** Returns NUMBER, TIMESTAMP, COINBASE, GASLIMIT, BASEFEE, PREVRANDAO, CHAINID, BLOCKHASH of the parent, and BLOBBASEFEE. */
const CODE =
  '0x435f52426020524160405245606052486080524460a0524660c052600143034060e0524a610100526101205ff3';

describe('eth_call on a fork', () => {
  let mainnet: MainnetUpstream;
  let engines: TestEngines;
  let service: TestForks;
  before(async () => {
    [mainnet, engines] = await Promise.all([MainnetUpstream.start(), testEngines()]);
    service = await TestForks.open(engines, ethChain(mainnet.url, { hardfork: 'prague' }));
  });
  after(async () => {
    await service.close();
    await Promise.all([mainnet.close(), engines.close()]);
  });
  afterEach(() => service.forks.deleteAllOf(PROJECT));

  /** Runs the code as a creation, because nodes accept no code override for calls on old blocks. */
  async function seen(url: string, block: string): Promise<bigint[]> {
    const words = await call(url, 'eth_call', { data: CODE }, block);
    return (words.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
  }

  async function header(url: string, number: number): Promise<RpcBlockHeader> {
    const params = [toQuantity(number), false] as const;
    return call<RpcBlockHeader>(url, 'eth_getBlockByNumber', ...params);
  }

  const contextOf = (block: RpcBlockHeader): bigint[] =>
    [
      block.number,
      block.timestamp,
      block.miner,
      block.gasLimit,
      block.baseFeePerGas!,
      block.mixHash!,
      '0x1',
      block.parentHash,
      1, // no block of the chain has blobs
    ].map(BigInt);

  it('sees the context of the chain’s block at position 0, inside the block and after it', async () => {
    const height = toQuantity(mainnet.busy);
    for (const position of [0, 3, undefined]) {
      const head = position === 0 ? mainnet.busy - 1 : mainnet.busy;
      const body = position === undefined ? { height } : { height, position };
      const { rpc } = await service.create(body);
      assert.deepEqual(
        await seen(rpc, 'latest'),
        contextOf(await header(mainnet.url, head)),
        `position ${position}`,
      );
    }
  });

  it('sees in older blocks the same as on the chain’s node', async () => {
    const { rpc } = await service.create({ height: toQuantity(mainnet.busy), position: 3 });
    await call(rpc, 'evm_mine');
    for (const number of [mainnet.busy - 1, mainnet.busy - 2, mainnet.busy - 3]) {
      const block = toQuantity(number);
      // The node's BASEFEE is 0 in every call, and the node answers calls on blocks before the fork.
      const own = (await seen(rpc, block)).with(4, 0n);
      const known = contextOf(await header(mainnet.url, number)).with(4, 0n);
      assert.deepEqual(own, known, `block ${number}`);
      assert.deepEqual(await seen(mainnet.url, block), own, `block ${number}`);
    }
    const replayed = await seen(rpc, toQuantity(mainnet.busy));
    assert.deepEqual(replayed, contextOf(await header(mainnet.url, mainnet.busy)));
  });

  it('is in a block with the chain’s beacon root, and without state root, which is unknown', async () => {
    const { rpc } = await service.create({ height: toQuantity(mainnet.busy), position: 3 });
    const shown = (await header(rpc, mainnet.busy)) as RpcBlockHeader & { stateRoot: string };
    const original = await header(mainnet.url, mainnet.busy);
    assert.match(original.parentBeaconBlockRoot ?? '', /^0x(?!0{64})[0-9a-f]{64}$/);
    assert.equal(shown.parentBeaconBlockRoot, original.parentBeaconBlockRoot);
    assert.equal(shown.stateRoot, `0x${'0'.repeat(64)}`);
  });

  it('sees the fee recipient of the fork point in the blocks after it', async () => {
    const height = toQuantity(mainnet.busy);
    for (const position of [0, 3, undefined]) {
      const head = position === 0 ? mainnet.busy - 1 : mainnet.busy;
      const { miner } = await header(mainnet.url, head);
      const { rpc } = await service.create(
        position === undefined ? { height } : { height, position },
      );
      assert.equal((await seen(rpc, 'pending'))[2], BigInt(miner), `position ${position}`);
      await call(rpc, 'evm_mine');
      assert.equal((await seen(rpc, 'latest'))[2], BigInt(miner), `position ${position}, mined`);
      assert.equal((await header(rpc, head + 1)).miner, miner);
    }
  });
});
