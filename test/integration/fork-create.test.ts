import assert from 'node:assert/strict';
import type { Chain } from '../../server/api/config';
import { call, refusal } from '../support/json-rpc';
import { isKind, PROJECT, TestForks } from './fork-service';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

interface Block {
  number: string;
  hash: string;
  timestamp: string;
  miner: string;
  gasLimit: string;
  baseFeePerGas: string;
  transactions: string[];
}

describe('creating forks', () => {
  let engines: TestEngines;
  let upstream: TestChain;
  let service: TestForks;
  let chain: Chain;
  let height: number;
  let hashes: string[];

  before(async () => {
    engines = await testEngines();
    upstream = await TestChain.start(engines.start);
    await upstream.mine();
    await upstream.send(ALICE, { to: COUNTER });
    await upstream.mine();
    hashes = [
      await upstream.send(ALICE, { to: COUNTER }),
      await upstream.send(BOB, { to: COUNTER, data: '0xff' }),
      await upstream.send(ALICE, { to: COUNTER }),
      await upstream.send(BOB, { to: COUNTER }),
    ];
    height = await upstream.mine();
    await upstream.send(ALICE, { to: COUNTER });
    await upstream.mine();
    chain = ethChain(upstream.engine.url);
    service = await TestForks.open(engines, chain);
  });
  after(async () => {
    await service.close();
    await engines.close();
  });

  const hex = () => `0x${height.toString(16)}`;
  const counter = async (rpc: string) =>
    Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'));

  it('position 0 starts before the block', async () => {
    const fork = await service.create({ height: hex(), position: 0 });
    assert.equal(Number(await call(fork.rpc, 'eth_blockNumber')), height - 1);
    assert.equal(await counter(fork.rpc), 1);
    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    assert.equal(Number(await call(fork.rpc, 'eth_blockNumber')), height);
    assert.equal(fork.position, 0);
    assert.equal(fork.height, hex());
  });

  it('a position inside the block applies the transactions before it, in its own context', async () => {
    const fork = await service.create({ height: hex(), position: 2 });
    const original = (await upstream.engine.rpc.request('eth_getBlockByNumber', [
      hex(),
      false,
    ])) as Block;
    const block = await call<Block>(fork.rpc, 'eth_getBlockByNumber', 'latest', false);
    for (const field of ['number', 'timestamp', 'miner', 'gasLimit', 'baseFeePerGas'] as const) {
      assert.equal(block[field], original[field], field);
    }
    assert.deepEqual(block.transactions, hashes.slice(0, 2));
    assert.equal(await counter(fork.rpc), 2);
    for (const hash of hashes.slice(0, 2)) {
      const [mine, theirs] = await Promise.all([
        call<Record<string, unknown>>(fork.rpc, 'eth_getTransactionReceipt', hash),
        upstream.engine.rpc.request('eth_getTransactionReceipt', [hash]) as Promise<
          Record<string, unknown>
        >,
      ]);
      for (const field of [
        'status',
        'gasUsed',
        'cumulativeGasUsed',
        'effectiveGasPrice',
        'transactionIndex',
      ]) {
        assert.equal(mine[field], theirs[field], field);
      }
    }
    // Later transactions have not happened.
    assert.equal(await call(fork.rpc, 'eth_getTransactionReceipt', hashes[2]), null);
    assert.equal(await call(fork.rpc, 'eth_getTransactionByHash', hashes[2]), null);
    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    assert.equal(Number(await call(fork.rpc, 'eth_blockNumber')), height + 1);
    assert.deepEqual(service.counted.splice(0).at(-1), [PROJECT, 1]);
  });

  for (const position of [undefined, 4]) {
    it(`position ${position ?? 'omitted'} is the state after the block`, async () => {
      const fork = await service.create({
        height: hex(),
        ...(position === undefined ? {} : { position }),
      });
      const original = (await upstream.engine.rpc.request('eth_getBlockByNumber', [
        hex(),
        false,
      ])) as Block;
      const block = await call<Block>(fork.rpc, 'eth_getBlockByNumber', 'latest', false);
      assert.equal(block.hash, original.hash);
      assert.equal(await counter(fork.rpc), 4);
      assert.equal(fork.position, position ?? null);
    });
  }

  it('nothing above the fork point is visible', async () => {
    const fork = await service.create({ height: hex() });
    const later = (await upstream.engine.rpc.request('eth_getBlockByNumber', [
      'latest',
      false,
    ])) as Block;
    assert.equal(Number(later.number), height + 1);
    assert.equal(await call(fork.rpc, 'eth_getBlockByNumber', later.number, false), null);
    assert.equal(await call(fork.rpc, 'eth_getBlockByHash', later.hash, false), null);
    assert.equal(await call(fork.rpc, 'eth_getTransactionByHash', later.transactions[0]), null);
    assert.equal(await call(fork.rpc, 'eth_getTransactionReceipt', later.transactions[0]), null);
    const logs = await call<{ blockNumber: string }[]>(fork.rpc, 'eth_getLogs', {
      fromBlock: '0x0',
      toBlock: 'latest',
      address: COUNTER,
    });
    assert.deepEqual(
      logs.map(({ blockNumber }) => Number(blockNumber)),
      [height - 1, height, height, height],
    );
    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    const across = await call<{ blockNumber: string }[]>(fork.rpc, 'eth_getLogs', {
      fromBlock: '0x0',
      toBlock: 'latest',
      address: COUNTER,
    });
    assert.deepEqual(
      across.map(({ blockNumber }) => Number(blockNumber)),
      [height - 1, height, height, height, height + 1],
    );
    assert.notEqual(
      (await call<Block>(fork.rpc, 'eth_getBlockByNumber', later.number, false)).hash,
      later.hash,
    );
  });

  it('safe is the newest block that the chain calls safe', async () => {
    const fork = await service.create({});
    assert.equal(
      fork.height,
      ((await upstream.engine.rpc.request('eth_getBlockByNumber', ['safe', false])) as Block)
        .number,
    );
  });

  it('an invalid height or position is reported with the accepted values', async () => {
    await assert.rejects(
      service.create({ height: hex(), position: 5 }),
      isKind(
        'invalidField',
        /^position is 5; accepted: 0 to 4: block \d+ of eth has 4 transactions$/,
      ),
    );
    await assert.rejects(
      service.create({ height: '0xfffff' }),
      isKind(
        'invalidField',
        new RegExp(
          `^height is 1048575 \\(0xfffff\\); accepted: a block up to ${height + 1} \\(0x${(height + 1).toString(16)}\\), the head of eth`,
        ),
      ),
    );
    await assert.rejects(
      service.create({ height: '0x0', position: 0 }),
      isKind('invalidField', /^position is 0; accepted: none for block 0/),
    );
    await assert.rejects(
      service.create({ chainId: 77 }),
      isKind('invalidField', /^chainId is 77; accepted: the id of a configured chain: 1$/),
    );
    await assert.rejects(
      service.create({ chain: 'nowhere' }),
      isKind('chainNotFound', /"nowhere"/),
    );
  });

  it('anti-replay has its own chain id, and rejects transactions signed for another', async () => {
    const fork = await service.create({ height: hex(), position: 1, antiReplay: true });
    assert.equal(fork.chainId, 1);
    assert.equal(fork.rpcChainId, 9991);
    assert.equal(await call(fork.rpc, 'eth_chainId'), '0x2707');
    assert.equal(await call(fork.rpc, 'net_version'), '9991');
    // CHAINID, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    const seen = await call(fork.rpc, 'eth_call', { data: '0x465f5260205ff3' }, 'latest');
    assert.equal(Number(seen), 9991);
    assert.equal(await counter(fork.rpc), 2);
    const transaction = {
      to: COUNTER,
      nonce: 2,
      gasLimit: 100_000,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    };
    const old = { to: COUNTER, nonce: 2, gasLimit: 100_000, gasPrice: 10n ** 10n, type: 0 };
    const forReal = await ALICE.signTransaction({ ...transaction, type: 2, chainId: 1 });
    assert.match(
      (await refusal(fork.rpc, 'eth_sendRawTransaction', forReal)).message,
      /signed for chain 1, this fork is chain 9991/,
    );
    const legacy = await ALICE.signTransaction({ ...old, chainId: 1 });
    assert.match(
      (await refusal(fork.rpc, 'eth_sendRawTransaction', legacy)).message,
      /signed for chain 1, this fork is chain 9991/,
    );
    const anywhere = await ALICE.signTransaction({ ...old, chainId: 0 });
    assert.match(
      (await refusal(fork.rpc, 'eth_sendRawTransaction', anywhere)).message,
      /before EIP-155.*accepted: chain id 9991$/,
    );
    const here = await ALICE.signTransaction({ ...transaction, type: 2, chainId: 9991 });
    const hash = await call(fork.rpc, 'eth_sendRawTransaction', here);
    assert.equal(
      (await call<{ status: string }>(fork.rpc, 'eth_getTransactionReceipt', hash)).status,
      '0x1',
    );
    assert.equal(await counter(fork.rpc), 3);
  });
});
