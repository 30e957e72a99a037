import assert from 'node:assert/strict';
import { toQuantity } from '../../server/evm/forms/quantity';
import { call, refusal, reply } from '../support/json-rpc';
import { eachObject, UpstreamProxy } from '../support/upstream-proxy';
import { TestForks } from './fork-service';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  timeOf,
  type TestEngines,
} from './fork-upstream';

interface Log {
  blockNumber: string;
}

interface FeeHistory {
  oldestBlock: string;
  baseFeePerGas: string[];
  gasUsedRatio: number[];
  reward: string[][];
}

/** Fork point: block 3, which has two transactions. Block 4 exists on the original chain, and a different one on the fork. */
describe('reads on both sides of the fork point', () => {
  let engines: TestEngines;
  let upstream: TestChain;
  let proxy: UpstreamProxy;
  let service: TestForks;
  let rpc: string;
  let originals: string[];
  let own: string;

  before(async () => {
    engines = await testEngines();
    upstream = await TestChain.start(engines.start);
    await upstream.mine();
    originals = [await upstream.send(ALICE, { to: COUNTER })];
    await upstream.mine();
    originals.push(
      await upstream.send(ALICE, { to: COUNTER }),
      await upstream.send(BOB, { to: COUNTER, data: '0xff' }),
    );
    await upstream.mine();
    await upstream.send(ALICE, { to: COUNTER });
    await upstream.mine();
    proxy = await UpstreamProxy.start(upstream.engine.url);
    service = await TestForks.open(engines, ethChain(proxy.url));
    ({ rpc } = await service.create({ height: '0x3' }));
    own = await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
  });
  after(async () => {
    await service.close();
    await proxy.close();
    await engines.close();
  });
  afterEach(() => {
    proxy.fault = undefined;
  });

  /** The original chain's answer, plus the times of transactions, which its node omits. */
  const original = async (method: string, ...params: unknown[]) =>
    eachObject(await upstream.engine.rpc.request(method, params), (one) =>
      one['input'] !== undefined && typeof one['blockNumber'] === 'string'
        ? { ...one, blockTimestamp: toQuantity(timeOf(Number(one['blockNumber']))) }
        : one,
    );
  const blocksOf = (logs: Log[]) => logs.map(({ blockNumber }) => Number(blockNumber));

  for (const [method, ...params] of [
    ['eth_getTransactionByBlockNumberAndIndex', '0x3', '0x1'],
    ['eth_getRawTransactionByBlockNumberAndIndex', '0x3', '0x0'],
    ['eth_getBlockByNumber', '0x3', true],
    ['eth_getBlockReceipts', '0x3'],
    ['trace_block', '0x3'],
    ['trace_filter', { fromBlock: '0x1', toBlock: '0x3' }],
    ['eth_feeHistory', '0x3', '0x3', [50]],
    ['eth_getLogs', { fromBlock: '0x1', toBlock: '0x3', address: [COUNTER, ALICE.address] }],
    ['eth_getLogs', { fromBlock: 'earliest', toBlock: '0x3', topics: [`0x${'01'.repeat(32)}`] }],
  ] as [string, ...unknown[]][]) {
    it(`${method} up to the fork point is the original's`, async () => {
      assert.deepEqual(await call(rpc, method, ...params), await original(method, ...params));
    });
  }

  it('finds transactions and traces by hash, on both sides', async () => {
    for (const method of [
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
      'trace_transaction',
      'ots_traceTransaction',
      'ots_getTransactionError',
    ]) {
      for (const hash of originals) {
        assert.deepEqual(await call(rpc, method, hash), await original(method, hash), method);
      }
      assert.notEqual(await call(rpc, method, own), null, method);
    }
    const unknown = `0x${'12'.repeat(32)}`;
    assert.equal(await call(rpc, 'trace_transaction', unknown), null);
    assert.equal((await refusal(rpc, 'debug_traceTransaction', unknown)).code, -32000);
  });

  it('traces a block of the fork by its transactions', async () => {
    const block = await call<{ hash: string }>(rpc, 'eth_getBlockByNumber', 'latest', false);
    for (const [method, parameter] of [
      ['debug_traceBlockByNumber', '0x4'],
      ['debug_traceBlockByHash', block.hash],
    ] as const) {
      const traces = await call<{ txHash: string; result: { to: string } }[]>(
        rpc,
        method,
        parameter,
        { tracer: 'callTracer' },
      );
      assert.deepEqual(
        traces.map(({ txHash, result }) => [txHash, result.to]),
        [[own, COUNTER]],
      );
    }
    assert.equal((await refusal(rpc, 'debug_traceBlockByNumber', '0x77')).code, -32000);
    assert.match(
      (await refusal(rpc, 'debug_traceBlockByNumber', '0x4', { tracer: '{}' })).message,
      /^tracer is .*; accepted: callTracer/,
    );
  });

  it('joins logs, traces and fees across the fork point', async () => {
    const logs = async (filter: object) => blocksOf(await call<Log[]>(rpc, 'eth_getLogs', filter));
    assert.deepEqual(await logs({ fromBlock: '0x0', toBlock: 'latest' }), [2, 3, 4]);
    assert.deepEqual(await logs({ fromBlock: '0x3' }), [3, 4]);
    for (const range of [
      { fromBlock: '0x0', toBlock: '0xffff' },
      { fromBlock: '0x3', toBlock: '0x2' },
    ]) {
      assert.equal((await refusal(rpc, 'eth_getLogs', range)).code, -32602);
    }
    assert.deepEqual(await logs({}), [4]);
    const traces = await call<{ blockNumber: number }[]>(rpc, 'trace_filter', {
      fromBlock: '0x1',
      toBlock: '0x4',
    });
    assert.deepEqual(
      traces.map(({ blockNumber }) => blockNumber),
      [2, 3, 3, 4],
    );
    const some = await call<unknown[]>(rpc, 'trace_filter', {
      fromBlock: '0x1',
      toBlock: '0x4',
      after: 1,
      count: 2,
    });
    assert.deepEqual(some, traces.slice(1, 3));
    const fees = await call<FeeHistory>(rpc, 'eth_feeHistory', '0x3', 'latest', [50]);
    const older = (await original('eth_feeHistory', '0x2', '0x3', [50])) as FeeHistory;
    assert.equal(fees.oldestBlock, '0x2');
    const { baseFeePerGas } = await call<{ baseFeePerGas: string }>(
      rpc,
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    assert.deepEqual(fees.baseFeePerGas.slice(0, 3), [
      ...older.baseFeePerGas.slice(0, 2),
      baseFeePerGas,
    ]);
    assert.equal(fees.baseFeePerGas.length, 4);
    assert.deepEqual(fees.gasUsedRatio.slice(0, 2), older.gasUsedRatio);
    assert.equal(fees.reward.length, 3);
  });

  it('a filter from before the fork point sees the logs of both sides, each once', async () => {
    const id = await call(rpc, 'eth_newFilter', { fromBlock: '0x1', address: COUNTER });
    const changes = async () => blocksOf(await call<Log[]>(rpc, 'eth_getFilterChanges', id));
    assert.deepEqual(await changes(), [2, 3, 4]);
    assert.deepEqual(await changes(), []);
    assert.equal(await call(rpc, 'eth_uninstallFilter', id), true);
  });

  it("queries logs in ranges as small as the forked chain's node requires", async () => {
    const ranges: string[] = [];
    proxy.fault = (calls) => {
      for (const { method, params } of calls) {
        if (method !== 'eth_getLogs') continue;
        const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
        ranges.push(`${Number(fromBlock)}-${Number(toBlock)}`);
        if (Number(toBlock) - Number(fromBlock) >= 2) {
          return { error: { code: -32602, message: 'eth_getLogs is limited to a 2 block range' } };
        }
      }
      return undefined;
    };
    const logs = await call<Log[]>(rpc, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
    assert.deepEqual(blocksOf(logs), [2, 3, 4]);
    assert.deepEqual(ranges, ['0-3', '0-1', '2-3']);
    proxy.fault = (calls) =>
      calls.some(({ method }) => method === 'eth_getLogs')
        ? { error: { code: -32602, message: 'the block range is too large' } }
        : undefined;
    const { error } = await reply(rpc, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
    assert.deepEqual([error?.code, error?.message], [-32602, 'the block range is too large']);
  });
});
