import assert from 'node:assert/strict';
import { toQuantity } from '../../server/ethereum/quantity';
import type { RpcBlockHeader } from '../../server/ethereum/types';
import { call } from '../support/json-rpc';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { PROJECT, TestForks } from './fork-service';
import { ethChain, testEngines, type TestEngines } from './fork-upstream';

const PROBE = `0x${'f1'.repeat(20)}`;
/** Returns NUMBER, TIMESTAMP, COINBASE, GASLIMIT, BASEFEE, PREVRANDAO, CHAINID, and BLOCKHASH of the parent. */
const CODE = '0x435f52426020524160405245606052486080524460a0524660c052600143034060e0526101005ff3';

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

  async function seen(url: string, block: string): Promise<bigint[]> {
    const words = await call(url, 'eth_call', { to: PROBE }, block, { [PROBE]: { code: CODE } });
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
    ].map(BigInt);

  it('sees the context of the chain’s block, at position 0, inside it and behind it', async () => {
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

  it('is in a block that has the beacon root of the chain’s, and no state root, which nobody knows', async () => {
    const { rpc } = await service.create({ height: toQuantity(mainnet.busy), position: 3 });
    const shown = (await header(rpc, mainnet.busy)) as RpcBlockHeader & { stateRoot: string };
    const original = await header(mainnet.url, mainnet.busy);
    assert.match(original.parentBeaconBlockRoot ?? '', /^0x(?!0{64})[0-9a-f]{64}$/);
    assert.equal(shown.parentBeaconBlockRoot, original.parentBeaconBlockRoot);
    assert.equal(shown.stateRoot, `0x${'0'.repeat(64)}`);
  });

  it('sees the fee recipient of the fork point in the blocks that follow', async () => {
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
