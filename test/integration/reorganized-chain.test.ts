import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcBlock } from '../../server/evm/forms/types';
import { call, refusal } from '../support/json-rpc';
import { UpstreamProxy, type Fault } from '../support/upstream-proxy';
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

const LEFT =
  /^block 3 of eth, on which the fork is based, is no longer part of the chain: it was 0x[0-9a-f]{64}, and the chain has (0x[0-9a-f]{64} there|no such block)\. The fork keeps what it has read; create/;
const UNREAD = `0x${'77'.repeat(20)}`;
/** Its balance is set on the fork. */
const OWN = `0x${'88'.repeat(20)}`;

/** A node without EIP-1898. */
const withoutHashes = (asked: readonly { params?: readonly unknown[] }[]): Fault | undefined =>
  asked.some(({ params }) =>
    params?.some((one) => typeof one === 'object' && one !== null && 'blockHash' in one),
  )
    ? { error: { code: -32602, message: 'invalid argument 1: cannot unmarshal object' } }
    : undefined;

describe('a fork whose block has left the chain', () => {
  let engines: TestEngines;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let service: TestForks;
  let fork: Fork;

  beforeEach(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    await chain.mine();
    const snapshot = await chain.engine.rpc.request('evm_snapshot', []);
    for (let block = 2; block <= 3; block++) {
      await chain.send(ALICE, { to: COUNTER });
      await chain.mine();
    }
    proxy = await UpstreamProxy.start(chain.engine.url);
    service = await TestForks.open(engines, ethChain(proxy.url, { hardfork: 'prague' }));
    replace = async () => {
      await chain.engine.rpc.request('evm_revert', [snapshot]);
      await chain.engine.rpc.request('anvil_setBalance', [UNREAD, '0x99']);
      await chain.engine.rpc.request('anvil_mine', ['0x5']);
    };
  });
  let replace: () => Promise<void>;
  afterEach(async () => {
    await service.close();
    await proxy.close();
    await engines.close();
  });
  const view = async () =>
    (await service.forks.list(PROJECT)).find(({ forkId }) => forkId === fork.forkId);

  for (const [node, fault] of [
    ['that reads by hash', undefined],
    ['that reads by number only', withoutHashes],
  ] as const) {
    it(`keeps what it has read, and says so: a node ${node}`, async () => {
      proxy.fault = fault;
      fork = await service.create({ height: '0x3' });
      const { rpc } = fork;
      assert.equal(
        await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'),
        `0x${'2'.padStart(64, '0')}`,
      );
      await replace();
      assert.equal(
        await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'),
        `0x${'2'.padStart(64, '0')}`,
      );
      const head = await call<RpcBlock>(rpc, 'eth_getBlockByNumber', '0x3', false);
      assert.equal(head.number, '0x3');
      for (const [method, ...params] of [
        ['eth_getBalance', UNREAD, 'latest'],
        ['eth_getLogs', { fromBlock: '0x0', toBlock: '0x3' }],
        ['eth_getBlockReceipts', '0x2'],
      ] as const) {
        const { message } = await refusal(rpc, method, ...params);
        assert.match(message, LEFT, method);
      }
      assert.match((await view())?.warnings?.at(-1) ?? '', LEFT);
      const { hash } = await call<RpcBlock>(rpc, 'eth_getBlockByNumber', 'latest', false);
      assert.equal(hash, head.hash, 'the fork itself is unchanged');
    });
  }

  for (const [node, fault] of [
    ['that reads by hash', undefined],
    ['that reads by number only', withoutHashes],
  ] as const) {
    it(`wakes with what it has read, and says so: a node ${node}`, async () => {
      proxy.fault = fault;
      fork = await service.create({ height: '0x3' });
      const { rpc, forkId } = fork;
      await call(rpc, 'anvil_setBalance', OWN, '0x7');
      const counter = `0x${'2'.padStart(64, '0')}`;
      assert.equal(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'), counter);
      const { hash } = await call<RpcBlock>(rpc, 'eth_getBlockByNumber', '0x3', false);
      await service.forks.stop();
      assert.equal((await service.forks.get(PROJECT, forkId)).state, 'sleeping');
      await replace();
      assert.equal(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'), counter);
      assert.equal(await call(rpc, 'eth_getBalance', OWN, 'latest'), '0x7');
      const base = await call<RpcBlock>(rpc, 'eth_getBlockByNumber', '0x3', false);
      assert.equal(base.hash, hash);
      for (const [method, ...params] of [
        ['eth_getBalance', UNREAD, 'latest'],
        ['eth_getLogs', { fromBlock: '0x0', toBlock: '0x3' }],
      ] as const) {
        const { message } = await refusal(rpc, method, ...params);
        assert.match(message, LEFT, method);
      }
      const { state, warnings, journal } = (await view())!;
      assert.equal(state, 'running');
      assert.match(warnings?.at(-1) ?? '', LEFT);
      assert.ok(journal!.bytes > 0);
    });
  }

  it('is no obstacle for the next fork, which reads the present chain', async () => {
    fork = await service.create({ height: '0x3' });
    await replace();
    const next = await service.create({ height: '0x3' });
    assert.equal(await call(next.rpc, 'eth_getBalance', UNREAD, 'latest'), '0x99');
    const [before, after] = await Promise.all(
      [fork, next].map(({ rpc }) => call<RpcBlock>(rpc, 'eth_getBlockByNumber', '0x3', false)),
    );
    assert.notEqual(before?.hash, after?.hash);
    assert.doesNotMatch(next.warnings?.join() ?? '', /no longer part/);
  });

  it('is kept for a fork that begins inside it and sleeps', async () => {
    const inside = await service.create({ height: '0x3', position: 1 });
    const counter = await call(inside.rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest');
    await service.forks.stop();
    await replace();
    assert.equal(await call(inside.rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'), counter);
    const { message } = await refusal(inside.rpc, 'eth_getBalance', UNREAD, 'latest');
    assert.match(message, LEFT);
  });

  it('is noticed for the block of a fork that begins inside it', async () => {
    fork = await service.create({ height: '0x3', position: 0 });
    assert.equal(await call(fork.rpc, 'eth_blockNumber'), '0x2');
    const inside = await service.create({ height: '0x3', position: 1 });
    await replace();
    const { message } = await refusal(inside.rpc, 'eth_getLogs', {
      fromBlock: '0x0',
      toBlock: '0x2',
    });
    assert.match(message, LEFT);
  });
});

describe('a private chain that restarts', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;
  before(async () => {
    engines = await testEngines();
  });
  after(async () => {
    await service.close();
    await proxy.close();
    await engines.close();
  });

  it('is noticed before the next fork is created', async () => {
    const first = await TestChain.start(engines.start);
    await first.engine.rpc.request('anvil_mine', [toQuantity(400)]);
    await first.engine.rpc.request('anvil_setBalance', [UNREAD, '0x11']);
    await first.engine.rpc.request('anvil_mine', ['0x1']);
    proxy = await UpstreamProxy.start(first.engine.url);
    service = await TestForks.open(engines, ethChain(proxy.url, { hardfork: 'prague' }));
    const old = await service.create({ height: '0x191' });
    const before = await call<RpcBlock>(old.rpc, 'eth_getBlockByNumber', '0x191', false);
    const second = await TestChain.start(engines.start);
    await second.send(BOB, { to: COUNTER });
    await second.mine();
    await second.engine.rpc.request('anvil_mine', [toQuantity(400)]);
    proxy.target = second.engine.url;
    const next = await service.create({ height: '0x191' });
    const after = await call<RpcBlock>(next.rpc, 'eth_getBlockByNumber', '0x191', false);
    assert.notEqual(after.hash, before.hash);
    const own = await second.engine.rpc.request('eth_getBlockByNumber', ['0x191', false]);
    assert.equal(after.hash, (own as RpcBlock).hash);
    const { message } = await refusal(old.rpc, 'eth_getBalance', UNREAD, 'latest');
    assert.match(
      message,
      /^block 401 of eth, on which the fork is based, is no longer part of the chain/,
    );
  });
});
