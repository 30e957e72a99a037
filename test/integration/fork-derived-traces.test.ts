import assert from 'node:assert/strict';
import { call, refusal } from '../support/json-rpc';
import { useForkAddress } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

/** Calls the counter with 36 bytes, and SHA-256 (precompile 2). The first call fails with revert data. */
const CALLER = `0x${'ca'.repeat(20)}`;
const CALLER_CODE = [
  '60ff60f81b600052', // memory: 0xff…, which makes the counter revert
  '6000600060246000600073c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c05af150', // CALL counter, 36 bytes
  '600060006000600060025afa50', // STATICCALL precompile 2
  '00',
].join('');

describe('derived traces', () => {
  const on = useForkAddress();
  beforeEach(() => call(on.rpc, 'anvil_setCode', CALLER, `0x${CALLER_CODE}`));

  const send = (to: string, data = '0x'): Promise<string> =>
    call(on.rpc, 'eth_sendTransaction', { from: ALICE.address, to, data, gas: '0x30d40' });
  const trace = (hash: string, tracer: string, tracerConfig?: object): Promise<never> =>
    call(on.rpc, 'debug_traceTransaction', hash, { tracer, tracerConfig });

  it('are flat lists as in go-ethereum', async () => {
    const hash = await send(CALLER, '0x01020304');
    const receipt = await call<Record<string, string>>(on.rpc, 'eth_getTransactionReceipt', hash);
    const list = await trace(hash, 'flatCallTracer');
    const [root, inner, ...others] = list as Record<string, unknown>[];
    assert.deepEqual(others, []);
    const { gas, ...action } = root!['action'] as Record<string, unknown>;
    assert.ok(Number(gas) > 100_000);
    assert.deepEqual(
      { ...root, action },
      {
        type: 'call',
        action: {
          callType: 'call',
          from: ALICE.address.toLowerCase(),
          input: '0x01020304',
          to: CALLER,
          value: '0x0',
        },
        result: { gasUsed: receipt['gasUsed'], output: '0x' },
        subtraces: 1,
        traceAddress: [],
        blockHash: receipt['blockHash'],
        blockNumber: Number(receipt['blockNumber']),
        transactionHash: hash,
        transactionPosition: 0,
      },
    );
    assert.deepEqual(
      [inner!['error'], inner!['traceAddress'], (inner!['result'] as { output: string }).output],
      ['execution reverted', [0], '0xdeadbeef'],
    );
    const all = await trace(hash, 'flatCallTracer', {
      includePrecompiles: true,
      convertParityErrors: true,
    });
    assert.deepEqual(
      (all as { error?: string; traceAddress: number[] }[]).map((one) => [
        one.error,
        one.traceAddress,
      ]),
      [
        [undefined, []],
        ['Reverted', [0]],
        [undefined, [1]],
      ],
    );
  });

  it('count selectors of transactions and of calls', async () => {
    const hash = await send(CALLER, '0x0102030405');
    const counts = { '0x01020304-1': 1, '0xff000000-32': 1 };
    assert.deepEqual(await trace(hash, '4byteTracer'), counts);
    const request = { from: ALICE.address, to: CALLER, data: '0x0102030405' };
    const options = { tracer: '4byteTracer' };
    assert.deepEqual(await call(on.rpc, 'debug_traceCall', request, 'latest', options), counts);
  });

  it('return several traces at once', async () => {
    const hash = await send(COUNTER);
    const tracerConfig = {
      callTracer: { withLog: true },
      prestateTracer: { diffMode: true },
      '4byteTracer': null,
      flatCallTracer: {},
    };
    const all = await trace(hash, 'muxTracer', tracerConfig);
    const { callTracer, prestateTracer, flatCallTracer, ...rest } = all as Record<string, object>;
    assert.deepEqual(rest, { '4byteTracer': {} });
    assert.deepEqual(callTracer, await trace(hash, 'callTracer', { withLog: true }));
    assert.deepEqual(prestateTracer, await trace(hash, 'prestateTracer', { diffMode: true }));
    assert.deepEqual(flatCallTracer, await trace(hash, 'flatCallTracer'));
    for (const bad of [{}, { nothing: {} }, { muxTracer: { callTracer: {} } }]) {
      const options = { tracer: 'muxTracer', tracerConfig: bad };
      const { code } = await refusal(on.rpc, 'debug_traceTransaction', hash, options);
      assert.equal(code, -32602, JSON.stringify(bad));
    }
  });

  it('exist for the forked chain and for whole blocks, too', async () => {
    const list = (await trace(on.original, 'flatCallTracer')) as unknown as {
      transactionHash: string;
      action: { to: string };
    }[];
    assert.deepEqual(
      list.map(({ transactionHash, action }) => [transactionHash, action.to]),
      [[on.original, COUNTER]],
    );
    const options = { tracer: 'muxTracer', tracerConfig: { flatCallTracer: {}, callTracer: {} } };
    const block = await call<{ txHash: string; result: { flatCallTracer: unknown } }[]>(
      on.rpc,
      'debug_traceBlockByNumber',
      '0x2',
      options,
    );
    assert.deepEqual(
      block.map(({ txHash, result }) => [txHash, result.flatCallTracer]),
      [[on.original, list]],
    );
  });

  it('list the instructions of a transaction of the forked chain, whose node has no such traces', async () => {
    const { structLogs } = await call<{ structLogs: { op: string }[] }>(
      on.rpc,
      'debug_traceTransaction',
      on.original,
    );
    assert.ok(structLogs.some(({ op }) => op === 'SSTORE'));
    const [whole] = await call<{ result: { structLogs: unknown[] } }[]>(
      on.rpc,
      'debug_traceBlockByNumber',
      '0x2',
    );
    assert.deepEqual(whole!.result.structLogs, structLogs);
  });

  it('list the instructions of each transaction of a block', async () => {
    const created = '0x600460008060093d393df36000545000';
    const increment = { from: ALICE.address, to: COUNTER, gas: '0x30d40' };
    const hashes = await call<string[]>(on.rpc, 'eth_sendTransactions', [
      increment,
      { from: ALICE.address, to: BOB.address, value: '0x1' },
      { ...increment, data: '0xff' }, // reverts
      increment,
      { from: ALICE.address, data: created, gas: '0x30d40' },
      { ...increment, from: BOB.address },
    ]);
    interface Trace {
      gas: number;
      failed: boolean;
      structLogs: { op: string; stack: string[] }[];
    }
    const loaded: (number | undefined)[] = [];
    for (const hash of hashes) {
      const { gas, failed, structLogs } = await call<Trace>(on.rpc, 'debug_traceTransaction', hash);
      const receipt = await on.receiptOf(hash);
      assert.deepEqual([gas, failed], [Number(receipt.gasUsed), receipt.status === '0x0']);
      const after = structLogs.findIndex(({ op }) => op === 'SLOAD') + 1;
      loaded.push(after === 0 ? undefined : Number(structLogs[after]!.stack.at(-1)));
    }
    assert.deepEqual(loaded, [1, undefined, undefined, 2, undefined, 3]);
    const { blockNumber } = await on.receiptOf(hashes[0]!);
    const block = await call<{ txHash: string; result: Trace }[]>(
      on.rpc,
      'debug_traceBlockByNumber',
      blockNumber,
    );
    assert.deepEqual(
      block.map(({ txHash }) => txHash),
      hashes,
    );
    assert.equal(block[5]!.result.failed, false);
  });

  it("report the transaction's own gas at any position of its block", async () => {
    const request = { from: ALICE.address, to: COUNTER, gas: '0x30d40' };
    const hashes = await call<string[]>(on.rpc, 'eth_sendTransactions', [request, request]);
    for (const hash of hashes) {
      const { gasUsed } = await call<{ gasUsed: string }>(
        on.rpc,
        'eth_getTransactionReceipt',
        hash,
      );
      assert.equal(((await trace(hash, 'callTracer')) as { gasUsed: string }).gasUsed, gasUsed);
    }
  });
});

describe('searches for data from before a fork', () => {
  const on = useForkAddress();

  it('find it, or report that they do not cover it', async () => {
    const own = await on.increment();
    const older = /older than the fork|has loaded no code/;
    const nonce = await call(on.rpc, 'eth_getTransactionCount', ALICE.address, 'latest');
    const last = `0x${(Number(nonce) - 1).toString(16)}`;
    const bySender = 'ots_getTransactionBySenderAndNonce';
    assert.equal(await call(on.rpc, bySender, ALICE.address, last), own);
    assert.equal(await call(on.rpc, bySender, ALICE.address, '0xff'), null);
    assert.equal(await call(on.rpc, bySender, ALICE.address, '0x0'), on.original);
    assert.equal(await call(on.rpc, 'ots_getContractCreator', BOB.address), null);
    for (const [method, ...params] of [
      ['ots_searchTransactionsBefore', ALICE.address, 0, 10],
      ['ots_searchTransactionsBefore', ALICE.address, 3, 10],
      ['ots_searchTransactionsAfter', ALICE.address, 1, 10],
      ['debug_codeByHash', `0x${'77'.repeat(32)}`],
    ] as [string, ...unknown[]][]) {
      const { code, message } = await refusal(on.rpc, method, ...params);
      assert.equal(code, -32004, method);
      assert.match(message, older);
    }
    // Numbers above the head are not searched one by one.
    for (const block of [0, 5, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const page = await call<{ txs: { hash: string }[]; lastPage: boolean }>(
        on.rpc,
        'ots_searchTransactionsBefore',
        ALICE.address,
        block,
        1,
      );
      assert.deepEqual([page.txs.map(({ hash }) => hash), page.lastPage], [[own], false]);
    }
    const after = [ALICE.address, Number.MAX_SAFE_INTEGER, 10];
    const none = await call<{ txs: unknown[] }>(on.rpc, 'ots_searchTransactionsAfter', ...after);
    assert.deepEqual(none.txs, []);
    const traces = await call<{ blockNumber: number }[]>(on.rpc, 'trace_filter', {});
    assert.deepEqual([...new Set(traces.map(({ blockNumber }) => blockNumber))], [2, 4]);
  });
});
