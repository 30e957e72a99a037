import assert from 'node:assert/strict';
import type { InvocationFlow } from '../../server/api/explorer';
import type { Analysis } from '../../server/api/views';
import { startService, type Answer, type TestService } from '../support/service';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

type Fields = Record<string, unknown>;
type Change = (result: Fields, params: unknown[]) => unknown;

const TRANSACTIONS = 60;
const WORD = `0x${'ab'.repeat(32)}`;

const without = (object: Fields, field: string): Fields =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
const isCallTrace = (params: unknown[]): boolean =>
  (params[1] as Fields | undefined)?.['tracer'] === 'callTracer';

describe('an upstream with wrong answers', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestService;
  const hashes: string[] = [];

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    for (let i = 0; i < TRANSACTIONS; i++) hashes.push(await chain.send(ALICE, { to: COUNTER }));
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(proxy.url, { hardfork: 'prague' })],
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
  });
  beforeEach(() => {
    proxy.fault = undefined;
    proxy.rewrite = undefined;
  });

  /** Changes the results of a method. */
  function lie(method: string, change: Change): void {
    proxy.rewrite = (answer, calls) => {
      const answers = Array.isArray(answer) ? answer : [answer];
      const changed = (answers as (Fields & { result?: Fields })[]).map((one) => {
        const call = calls.find(({ id }) => id === one['id']);
        if (call?.method !== method || !one.result) return one;
        return { ...one, result: change(one.result, call.params ?? []) };
      });
      return Array.isArray(answer) ? changed : changed[0];
    };
  }
  const lieOfTrace = (change: (trace: Fields) => unknown): void => {
    lie('debug_traceTransaction', (result, params) =>
      isCallTrace(params) ? change(result) : result,
    );
  };
  const ask = <T = InvocationFlow>(hash: string, view = 'invocation-flow'): Promise<Answer<T>> =>
    service.request<T>('GET', `/v1/explorer/eth/transaction/${hash}/${view}`);
  /** A transaction that no earlier case has requested. */
  const fresh = (): string => hashes.shift()!;

  describe('in its traces', () => {
    const deep = (trace: Fields): Fields => {
      let frame = trace;
      for (let level = 0; level < 3000; level++) frame = { ...trace, calls: [frame] };
      return frame;
    };
    for (const [what, change] of [
      ['null', () => null],
      ['text', () => 'a trace'],
      ['an empty object', () => ({})],
      ['a list', (trace) => [trace]],
      ['a frame without its caller', (trace) => without(trace, 'from')],
      ['a gas that is none', (trace) => ({ ...trace, gasUsed: 'lots' })],
      ['a type that is a number', (trace) => ({ ...trace, type: 1 })],
      ['calls that are text', (trace) => ({ ...trace, calls: 'none' })],
      ['a call that is null', (trace) => ({ ...trace, calls: [null] })],
      ['logs without a position that is a number', (trace) => ({ ...trace, logs: [{}] })],
      ['3,000 levels', deep],
      ['the trace of another transaction', (trace) => ({ ...trace, input: '0xff' })],
      ['no logs', (trace) => without(trace, 'logs')],
    ] as [string, (trace: Fields) => unknown][]) {
      it(`is not believed if it returns ${what}: the transaction is executed again`, async () => {
        lieOfTrace(change);
        const { message, data } = await ask(fresh());
        assert.equal(message, 'OK');
        const { method, faithful } = data.verification;
        assert.deepEqual({ method, faithful }, { method: 'replay', faithful: true });
        assert.deepEqual(Object.keys(data.dataMap).sort(), ['-1', '0', '1']);
      });
    }

    it('is not needed if it breaks off in the middle of its answer', async () => {
      proxy.fault = (calls) =>
        calls.some(({ method }) => method === 'debug_traceTransaction') ? 'cut' : undefined;
      const { message, data } = await ask(fresh());
      assert.equal(message, 'OK');
      assert.equal(data.verification.method, 'replay');
    });

    it('leaves balances unchecked and omits the state difference if they cannot be read', async () => {
      lie('debug_traceTransaction', (result, params) => (isCallTrace(params) ? result : ['?']));
      const { data, message } = await ask<Analysis>(fresh(), 'analysis');
      assert.equal(message, 'OK');
      assert.equal(data.verification?.native, 'unchecked');
      assert.equal(data.stateDiff, null);
      assert.deepEqual(data.failures, [
        {
          part: 'stateDiff',
          code: 50201,
          message: 'the node\'s state difference cannot be read: the state difference is ["?"]',
        },
      ]);
    });
  });

  for (const method of ['debug', 'replay'] as const) {
    describe(`in its receipts, with a trace by ${method}`, () => {
      beforeEach(() => {
        if (method === 'debug') return;
        proxy.fault = withoutDebugApi;
      });
      const log = { address: COUNTER, topics: [WORD], data: '0x', logIndex: '0x0' };
      for (const [what, change, difference] of [
        [
          'gas',
          (receipt) => ({ ...receipt, gasUsed: '0x7777', cumulativeGasUsed: '0x7777' }),
          /^gas used: \d+ in the trace, 30583 in the receipt$/,
        ],
        [
          'status',
          (receipt) => ({ ...receipt, status: '0x0' }),
          /^status: the trace succeeds, the receipt does not$/,
        ],
        [
          'number of logs',
          (receipt) => ({ ...receipt, logs: [] }),
          /^logs: 1 in the trace, 0 in the receipt$/,
        ],
        ['logs', (receipt) => ({ ...receipt, logs: [log] }), /^log 0 differs from the receipt's$/],
      ] as [string, (receipt: Fields) => Fields, RegExp][]) {
        it(`is reported for a different ${what}`, async () => {
          const hash = fresh();
          lie('eth_getTransactionReceipt', (receipt) =>
            receipt['transactionHash'] === hash ? change(receipt) : receipt,
          );
          const { message, data } = await ask(hash);
          assert.equal(message, 'OK');
          assert.equal(data.verification.method, method);
          assert.equal(data.verification.faithful, false);
          assert.match(data.verification.firstDifference ?? '', difference);
        });
      }
    });
  }

  describe('about the position of a transaction', () => {
    const contradicts =
      /^the node of eth contradicts itself: the (.+) of transaction 0x.* is 0x\w+ and 0x\w+; it may be replacing its newest blocks$/;
    for (const [method, fields, what] of [
      ['eth_getTransactionReceipt', { blockHash: WORD }, 'block hash'],
      ['eth_getTransactionReceipt', { blockNumber: '0x5' }, 'block number'],
      ['eth_getTransactionReceipt', { transactionIndex: '0xff' }, 'index'],
      ['eth_getTransactionReceipt', { transactionHash: WORD }, 'hash'],
      ['eth_getBlockByHash', { hash: WORD }, 'block hash'],
      ['eth_getBlockByHash', { number: '0x5' }, 'block number'],
    ] as const) {
      it(`is reported if ${method} has a different ${what}`, async () => {
        lie(method, (result) => ({ ...result, ...fields }));
        const { status, code, message } = await ask(hashes[0]!);
        assert.deepEqual([status, code], [502, 50201]);
        assert.equal(contradicts.exec(message)?.[1], what, message);
      });
    }

    for (const [method, fields, reported] of [
      ['eth_getTransactionReceipt', { gasUsed: 'lots' }, 'receipt.gasUsed is "lots"'],
      ['eth_getTransactionReceipt', { logs: 'none' }, 'receipt.logs is "none"'],
      ['eth_getTransactionReceipt', { logs: [{}] }, 'receipt.logs[0].address is missing'],
      ['eth_getTransactionByHash', { from: 7 }, 'transaction.from is 7'],
      ['eth_getTransactionByHash', { input: null }, 'transaction.input is null'],
      ['eth_getTransactionByHash', { nonce: WORD }, `transaction.nonce is "${WORD}"`],
      ['eth_getTransactionByHash', { accessList: 'x' }, 'transaction.accessList is "x"'],
      [
        'eth_getTransactionByHash',
        { accessList: [{}] },
        'transaction.accessList[0].address is missing',
      ],
      [
        'eth_getTransactionByHash',
        { blobVersionedHashes: 7 },
        'transaction.blobVersionedHashes is 7',
      ],
      [
        'eth_getTransactionByHash',
        { authorizationList: [null] },
        'transaction.authorizationList[0] is null',
      ],
      ['eth_getTransactionReceipt', { gasUsed: WORD }, `receipt.gasUsed is "${WORD}"`],
      ['eth_getTransactionReceipt', { blobGasPrice: {} }, 'receipt.blobGasPrice is {}'],
      ['eth_getTransactionReceipt', { l1Fee: 'lots' }, 'receipt.l1Fee is "lots"'],
      ['eth_getBlockByHash', { timestamp: 'now' }, 'block.timestamp is "now"'],
      ['eth_getBlockByHash', { timestamp: WORD }, `block.timestamp is "${WORD}"`],
      ['eth_getBlockByHash', { excessBlobGas: 'x' }, 'block.excessBlobGas is "x"'],
    ] as const) {
      it(`is reported with the unreadable field of ${method}: ${reported}`, async () => {
        lie(method, (result) => ({ ...result, ...fields }));
        const { status, code, message } = await ask(hashes[0]!);
        assert.deepEqual([status, code], [502, 50201]);
        assert.equal(message, `the node of eth returned an invalid value: ${reported}`);
      });
    }

    const nulls = (names: string[]): Fields =>
      Object.fromEntries(names.map((name) => [name, null]));
    for (const [method, names] of [
      ['eth_getTransactionByHash', ['accessList', 'authorizationList', 'blobVersionedHashes']],
      ['eth_getTransactionByHash', ['maxFeePerBlobGas', 'gasPrice', 'mint']],
      ['eth_getTransactionReceipt', ['status', 'l1Fee', 'blobGasUsed', 'blobGasPrice']],
      ['eth_getBlockByHash', ['excessBlobGas']],
    ] as const) {
      it(`is accepted if ${method} returns null for ${names.join(', ')}`, async () => {
        const { data: sound } = await ask<Analysis>(fresh(), 'analysis?proof=wait');
        lie(method, (result) => ({ ...result, ...nulls([...names]) }));
        const { message, data } = await ask<Analysis>(fresh(), 'analysis?proof=wait');
        assert.equal(message, 'OK');
        assert.deepEqual(Object.keys(data.transaction), Object.keys(sound.transaction));
        const { faithful, native, tokens } = data.verification ?? {};
        assert.deepEqual([faithful, native, tokens], [true, 'verified', 'verified']);
        assert.deepEqual(data.failures, []);
      });
    }

    it('is accepted if it writes hashes in upper case', async () => {
      const hash = fresh();
      lie('eth_getTransactionByHash', (result) => ({
        ...result,
        hash: hash.toUpperCase().replace('X', 'x'),
      }));
      const { data } = await ask(hash);
      assert.equal(data.transaction.hash, hash);
    });

    it('causes specific errors: unknown, pending, without a receipt, and another transaction', async () => {
      const hash = hashes[0]!;
      const unknown = await ask(WORD);
      assert.deepEqual([unknown.status, unknown.code], [404, 40403]);
      lie('eth_getTransactionByHash', (result) => ({
        ...result,
        blockHash: null,
        blockNumber: null,
      }));
      const waiting = await ask(hash);
      assert.deepEqual(
        [waiting.status, waiting.code, waiting.message],
        [409, 40902, `transaction ${hash} is not in a block of eth yet`],
      );
      lie('eth_getTransactionReceipt', () => null);
      const lost = await ask(hash);
      assert.deepEqual(
        [lost.code, lost.message],
        [50201, `the node of eth does not have the receipt of transaction ${hash}`],
      );
      lie('eth_getTransactionByHash', (result) => ({ ...result, hash: WORD }));
      const other = await ask(hash);
      assert.deepEqual(
        [other.code, other.message],
        [50201, `the node of eth returned transaction "${WORD}" for ${hash}`],
      );
    });
  });
});
