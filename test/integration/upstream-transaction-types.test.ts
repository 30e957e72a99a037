import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { eachObject, UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
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

type Fields = Record<string, unknown>;

const DEPOSIT = {
  type: '0x7e',
  sourceHash: `0x${'aa'.repeat(32)}`,
  mint: '0xde0b6b3a7640000',
  isSystemTx: false,
  gasPrice: '0x0',
};
const INTERNAL = { type: '0x6a', requestId: `0x${'bb'.repeat(32)}` };
/** Omitted from the answer. */
const UNSIGNED = { r: undefined, s: undefined, v: undefined, yParity: undefined };
const ZERO_SIGNATURE = { r: '0x0', s: '0x0', v: '0x0' };

describe('blocks with transactions that only their chain can execute', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;
  let height: string;
  let hashes: string[];

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    hashes = [];
    for (const sender of [ALICE, BOB, ALICE]) {
      hashes.push(await chain.send(sender, { to: COUNTER, type: 0 }));
    }
    height = `0x${(await chain.mine()).toString(16)}`;
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
  });
  after(async () => {
    await proxy.close();
    await engines.close();
  });
  beforeEach(async () => {
    service = await TestForks.open(
      engines,
      ethChain(proxy.url, { slug: 'l2', hardfork: 'prague' }),
    );
  });
  afterEach(async () => {
    proxy.fault = undefined;
    proxy.rewrite = undefined;
    await service.forks.deleteAllOf(PROJECT);
    await service.close();
  });

  /** Replaces fields of a transaction of the block in all answers. */
  function replaceFields(index: number, fields: Fields): void {
    proxy.rewrite = (answer) =>
      eachObject(answer, (one) =>
        Number(one['transactionIndex']) === index && one['input'] !== undefined
          ? { ...one, ...fields }
          : one,
      );
  }

  function withoutDebug(): void {
    proxy.fault = withoutDebugApi;
  }

  const counter = async (rpc: string): Promise<number> =>
    Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'));
  const balance = async (rpc: string, account = ALICE.address): Promise<bigint> =>
    BigInt(await call(rpc, 'eth_getBalance', account, 'latest'));

  it('are returned unchanged, and can be forked before and after', async () => {
    replaceFields(0, { ...INTERNAL, ...UNSIGNED });
    const { rpc, replay } = await service.create({ height });
    assert.equal(replay, undefined);
    const block = await call<{ transactions: Fields[] }>(rpc, 'eth_getBlockByNumber', height, true);
    assert.equal(block.transactions.length, 3);
    assert.equal(block.transactions[0]?.['type'], '0x6a');
    await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    assert.equal(await counter(rpc), 4);
    assert.equal(await counter((await service.create({ height, position: 0 })).rpc), 0);
  });

  for (const [what, index, fields, type] of [
    ['an OP Stack deposit in front', 0, { ...DEPOSIT, ...UNSIGNED }, '0x7e'],
    ['an Arbitrum retry between others', 1, { ...INTERNAL, type: '0x68', ...UNSIGNED }, '0x68'],
    ['a state sync of Polygon', 1, { ...ZERO_SIGNATURE, gas: '0x0' }, '0x0'],
    ['a system transaction of BSC', 0, { gas: '0x7fffffffffffffff' }, '0x0'],
  ] as const) {
    it(`have the state that the chain's node reports for ${what}`, async () => {
      replaceFields(index, fields);
      const { rpc, replay } = await service.create({ height, position: 2 });
      assert.deepEqual(replay, {
        faithful: true,
        executor: 'anvil',
        foreign: [{ index, hash: hashes[index], type, applied: true }],
      });
      assert.equal(await counter(rpc), 2);
      const original = await call(proxy.url, 'eth_getTransactionReceipt', hashes[0]);
      assert.equal((original as unknown as { status: string }).status, '0x1');
      const nonce = (who: string) => call(rpc, 'eth_getTransactionCount', who, 'latest');
      assert.deepEqual([await nonce(ALICE.address), await nonce(BOB.address)], ['0x1', '0x1']);
      // The sender's balance lacks exactly the fee of this transaction, as on the chain before its third one.
      const { gasUsed, effectiveGasPrice } = await call<Record<string, string>>(
        proxy.url,
        'eth_getTransactionReceipt',
        hashes[index],
      );
      const sender = index === 0 ? ALICE : BOB;
      assert.equal(
        await balance(rpc, sender.address),
        10n ** 21n - BigInt(gasUsed!) * BigInt(effectiveGasPrice!),
      );
    });
  }

  it('execute deposits without a fee if the node has no debug API', async () => {
    withoutDebug();
    replaceFields(0, { ...DEPOSIT, ...UNSIGNED });
    const { rpc, replay } = await service.create({ height, position: 1 });
    assert.deepEqual(replay, {
      faithful: true,
      executor: 'anvil',
      foreign: [{ index: 0, hash: hashes[0], type: '0x7e', applied: true }],
    });
    assert.equal(await counter(rpc), 1);
    assert.equal(await balance(rpc), 10n ** 21n + BigInt(DEPOSIT.mint));
    assert.equal(await call(rpc, 'eth_getTransactionCount', ALICE.address, 'latest'), '0x1');
  });

  for (const [what, fields] of [
    ['nothing tells what they did', { ...INTERNAL, ...UNSIGNED }],
    ['they come to something else', { ...DEPOSIT, ...UNSIGNED, input: '0xff' }],
  ] as const) {
    it(`omit such transactions, and report it, if ${what}`, async () => {
      withoutDebug();
      replaceFields(0, fields);
      const { rpc, replay, forkId } = await service.create({ height, position: 2 });
      assert.deepEqual(replay, {
        faithful: false,
        executor: 'anvil',
        firstDifference: `transaction 0 (${hashes[0]}) of type ${fields.type} was not applied: the engine cannot execute it, and the forked chain's node does not return its changes`,
        foreign: [{ index: 0, hash: hashes[0], type: fields.type, applied: false }],
      });
      assert.deepEqual(service.records.get(forkId)?.replay, replay);
      assert.deepEqual(service.warnings, [
        'the replayed transactions of the fork differ from the originals',
      ]);
      assert.equal(await counter(rpc), 1);
      assert.equal(await balance(rpc), 10n ** 21n);
    });
  }
});
