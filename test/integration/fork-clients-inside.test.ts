import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';
import { createPublicClient, http } from 'viem';
import { mainnet as viemMainnet } from 'viem/chains';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcBlock, RpcReceipt } from '../../server/evm/forms/types';
import { fetchReceipts } from '../../server/execution/prefix/upstream-block';
import { Foundry } from '../support/foundry';
import { call } from '../support/json-rpc';
import { BUSY } from '../support/mainnet-blocks';
import { COUNTER, LOTTERY } from '../support/mainnet-contracts';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { PROJECT, TestForks } from './fork-service';
import { ALICE, ethChain, testEngines, type TestEngines } from './fork-upstream';

const POSITION = BUSY.factory;

/** The contract sees the state of the chain: the draws made in the block with its PREVRANDAO. */
const forgeTest = (mixHash: string, head: number): string => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm { function load(address, bytes32) external view returns (bytes32); }

contract InsideTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function test_sees_the_block_as_the_chain_has_it() external view {
        require(block.chainid == 1 && block.number == ${head}, "block");
        require(block.prevrandao == uint256(${mixHash}), "prevrandao");
        require(vm.load(${LOTTERY.address}, 0) == ${mixHash}, "lottery");
    }
}
`;

describe('clients on a fork inside a block of an independent node', () => {
  let mainnet: MainnetUpstream;
  let engines: TestEngines;
  let service: TestForks;
  let foundry: Foundry;
  let rpc: string;
  let original: RpcBlock;
  let originals: RpcReceipt[];

  before(async () => {
    [mainnet, engines] = await Promise.all([MainnetUpstream.start(), testEngines()]);
    service = await TestForks.open(engines, ethChain(mainnet.url, { hardfork: 'prague' }));
    foundry = await Foundry.open(engines.home);
    const height = toQuantity(mainnet.busy);
    original = await call<RpcBlock>(mainnet.url, 'eth_getBlockByNumber', height, true);
    originals = await fetchReceipts(mainnet.rpc, original, POSITION);
  });
  after(async () => {
    await service.close();
    await Promise.all([mainnet.close(), engines.close()]);
  });
  beforeEach(async () => {
    ({ rpc } = await service.create({ height: original.number, position: POSITION }));
    await call(rpc, 'anvil_setBalance', ALICE.address, toQuantity(10n ** 18n));
  });
  afterEach(() => service.forks.deleteAllOf(PROJECT));

  it('ethers reads the replayed transactions, and sends after them', async () => {
    const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
    try {
      const block = await provider.getBlock('latest', true);
      assert.equal(block?.number, mainnet.busy);
      assert.equal(block.prevRandao, original.mixHash);
      assert.deepEqual(
        block.prefetchedTransactions.map(({ hash }) => hash),
        original.transactions.slice(0, POSITION).map(({ hash }) => hash),
      );
      const draw = originals[BUSY.lottery]!;
      const receipt = await provider.getTransactionReceipt(draw.transactionHash);
      assert.deepEqual(
        [receipt?.blockHash, receipt?.logs[0]?.data, receipt?.gasUsed],
        [block.hash, draw.logs[0]!.data, BigInt(draw.gasUsed)],
      );
      const draws = await provider.getLogs({ address: LOTTERY.address, fromBlock: 0 });
      assert.deepEqual(
        draws.map(({ transactionHash }) => transactionHash),
        [originals[BUSY.lottery]!, originals[BUSY.delegation]!].map((one) => one.transactionHash),
      );
      const wallet = new Wallet(ALICE.privateKey, provider);
      const counter = new Contract(COUNTER.address, ['function f()'], wallet);
      const sent = await wallet.sendTransaction({ to: await counter.getAddress() });
      assert.equal((await sent.wait())?.blockNumber, mainnet.busy + 1);
    } finally {
      provider.destroy();
    }
  });

  it('viem reads the replayed transactions', async () => {
    const client = createPublicClient({ chain: viemMainnet, transport: http(rpc) });
    const block = await client.getBlock({ includeTransactions: true });
    assert.equal(block.mixHash, original.mixHash);
    assert.deepEqual(
      block.transactions.map(({ hash, blockHash, typeHex }) => [hash, blockHash, typeHex]),
      original.transactions
        .slice(0, POSITION)
        .map(({ hash, type }) => [hash, block.hash, type ?? '0x0']),
    );
    for (const one of originals) {
      const receipt = await client.getTransactionReceipt({ hash: one.transactionHash });
      assert.deepEqual(
        [receipt.status === 'success', receipt.gasUsed, receipt.logs.map(({ data }) => data)],
        [one.status === '0x1', BigInt(one.gasUsed), one.logs.map(({ data }) => data)],
      );
    }
  });

  it('cast reads the replayed transactions', async () => {
    const cast = (...args: string[]) => foundry.cast(...args, '--rpc-url', rpc);
    assert.equal(await cast('block', 'latest', '--field', 'mixHash'), original.mixHash);
    const draw = originals[BUSY.lottery]!;
    const receipt = JSON.parse(await cast('receipt', draw.transactionHash, '--json')) as RpcReceipt;
    assert.deepEqual(
      [receipt.gasUsed, receipt.logs.map(({ data }) => data)],
      [draw.gasUsed, draw.logs.map(({ data }) => data)],
    );
    assert.equal(await cast('nonce', draw.from), '4');
  });

  it('forge test --fork-url runs in the block with its PREVRANDAO', async () => {
    const file = join(foundry.project, 'test/Inside.t.sol');
    await writeFile(file, forgeTest(original.mixHash!, mainnet.busy));
    const output = await foundry.forge('test', '--fork-url', rpc, '--json', '--match-path', file);
    const [{ test_results: results }] = Object.values(
      JSON.parse(output) as Record<
        string,
        { test_results: Record<string, { status: string; reason: string | null }> }
      >,
    ) as [{ test_results: Record<string, { status: string; reason: string | null }> }];
    assert.deepEqual(
      Object.entries(results).map(([name, { status, reason }]) => [name, status, reason]),
      [['test_sees_the_block_as_the_chain_has_it()', 'Success', null]],
    );
  });

  it('forge script broadcasts after it', async () => {
    await foundry.forge(
      'script',
      'script/Deploy.s.sol:Deploy',
      '--rpc-url',
      rpc,
      '--broadcast',
      '--private-key',
      ALICE.privateKey,
    );
    const path = join(foundry.project, 'broadcast/Deploy.s.sol/1/run-latest.json');
    const { receipts } = JSON.parse(await readFile(path, 'utf8')) as { receipts: RpcReceipt[] };
    assert.deepEqual(
      receipts.map(({ status }) => status),
      ['0x1', '0x1', '0x1'],
    );
    assert.ok(receipts.every(({ blockNumber }) => Number(blockNumber) > mainnet.busy));
  });
});
