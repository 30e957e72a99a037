import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../../server/evm/forms/types';
import { SYSTEM_CONTRACTS } from '../../server/evm/rules/system-contracts';
import { fetchReceipts } from '../../server/execution/prefix/upstream-block';
import { call, refusal } from '../support/json-rpc';
import { BUSY } from '../support/mainnet-blocks';
import { LOTTERY } from '../support/mainnet-contracts';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { UpstreamProxy, type ProxiedCall } from '../support/upstream-proxy';
import { TestForks } from './fork-service';
import { ALICE, COUNTER, ethChain, testEngines, type TestEngines } from './fork-upstream';

/** After the second reader of PREVRANDAO in the block. The engine alone would execute it with a different number. */
const POSITION = BUSY.factory;
const CALL_TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true } };

interface Frame {
  from: string;
  to: string;
  gasUsed: string;
  error?: string;
  logs?: RpcLog[];
}

interface ParityTrace {
  action: { from: string; to?: string; callType?: string };
  blockHash: string;
  transactionHash: string;
  transactionPosition: number;
  traceAddress: number[];
}

describe('the block of a fork that starts inside it', () => {
  let mainnet: MainnetUpstream;
  let engines: TestEngines;
  let service: TestForks;
  let proxy: UpstreamProxy;
  let fork: Fork;
  let height: string;
  let original: RpcBlock;
  let originals: RpcReceipt[];
  let block: RpcBlock;
  let calls: ProxiedCall[] | undefined = [];
  let readAtCreation: ProxiedCall[] | undefined;

  before(async () => {
    [mainnet, engines] = await Promise.all([MainnetUpstream.start(), testEngines()]);
    // Like most public endpoints: this node's own traces are struct logs for every tracer.
    proxy = await UpstreamProxy.start(mainnet.url);
    proxy.fault = (asked) => {
      calls?.push(...asked);
      return asked.some(({ method }) => /^(debug|trace)_/.test(method))
        ? { error: { code: -32601, message: 'the method does not exist' } }
        : undefined;
    };
    height = toQuantity(mainnet.busy);
    service = await TestForks.open(engines, ethChain(proxy.url, { hardfork: 'prague' }));
    fork = await service.create({ height, position: POSITION });
    readAtCreation = calls;
    calls = undefined;
    original = await call<RpcBlock>(mainnet.url, 'eth_getBlockByNumber', height, true);
    originals = await fetchReceipts(mainnet.rpc, original, original.transactions.length);
    await call(fork.rpc, 'anvil_setBalance', ALICE.address, '0xde0b6b3a7640000');
    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    block = await call<RpcBlock>(fork.rpc, 'eth_getBlockByNumber', height, true);
  });
  after(async () => {
    await service.close();
    await proxy.close();
    await Promise.all([mainnet.close(), engines.close()]);
  });

  const ask = <T>(method: string, ...params: unknown[]) => call<T>(fork.rpc, method, ...params);
  /** As on the chain, but in the fork's block. */
  const here = <T extends { blockHash: unknown }>(one: T): T => ({
    ...one,
    ...('input' in one ? { blockTimestamp: original.timestamp } : {}),
    blockHash: block.hash,
    ...('logs' in one ? { logs: (one.logs as RpcLog[]).map((log) => here(log as never)) } : {}),
  });

  it('is made without a question that is asked twice, or about slots that every block writes', () => {
    assert.ok(readAtCreation && readAtCreation.length > 0);
    const questions = readAtCreation.map(({ method, params = [] }) =>
      [method, ...params].join(' ').toLowerCase(),
    );
    assert.deepEqual(
      questions.filter((one, index) => questions.indexOf(one) !== index),
      [],
    );
    const slots = questions.filter((one) => one.startsWith('eth_getstorageat'));
    assert.ok(slots.length > 0);
    assert.deepEqual(
      slots.filter((one) => SYSTEM_CONTRACTS.some((address) => one.includes(address))),
      [],
    );
  });

  it('has the number, the PREVRANDAO and the first transactions of the original', async () => {
    assert.notEqual(block.hash, original.hash);
    for (const field of ['number', 'parentHash', 'timestamp', 'miner', 'mixHash'] as const) {
      assert.equal(block[field], original[field], field);
    }
    assert.equal(block.gasUsed, originals[POSITION - 1]!.cumulativeGasUsed);
    assert.deepEqual(block.transactions, original.transactions.slice(0, POSITION).map(here));
    const byHash = await ask<{ transactions: string[] }>('eth_getBlockByHash', block.hash, false);
    assert.deepEqual(
      byHash.transactions,
      original.transactions.slice(0, POSITION).map(({ hash }) => hash),
    );
    const next = await ask<RpcBlock>('eth_getBlockByNumber', 'latest', false);
    assert.deepEqual([Number(next.number), next.parentHash], [mainnet.busy + 1, block.hash]);
    assert.equal(await ask('eth_getBlockTransactionCountByNumber', height), toQuantity(POSITION));
    assert.equal(await ask('eth_getBlockTransactionCountByHash', block.hash), toQuantity(POSITION));
    assert.equal(await ask('eth_getBlockTransactionCountByNumber', 'latest'), '0x1');
  });

  it('has the original receipts, whose logs contain the original PREVRANDAO', async () => {
    const expected = originals.slice(0, POSITION).map(here);
    assert.equal(expected[BUSY.lottery]!.logs[0]!.data.slice(-64), original.mixHash!.slice(2));
    assert.deepEqual(await ask('eth_getBlockReceipts', height), expected);
    for (const receipt of expected) {
      assert.deepEqual(await ask('eth_getTransactionReceipt', receipt.transactionHash), receipt);
    }
    const later = originals[POSITION]!.transactionHash;
    assert.equal(await ask('eth_getTransactionReceipt', later), null);
    assert.equal(await ask('eth_getTransactionByHash', later), null);
  });

  it('has its transactions under their hashes and indexes', async () => {
    for (const [index, transaction] of original.transactions.slice(0, POSITION).entries()) {
      const at = toQuantity(index);
      const expected: RpcTransaction = here(transaction);
      assert.deepEqual(await ask('eth_getTransactionByHash', transaction.hash), expected);
      assert.deepEqual(await ask('eth_getTransactionByBlockNumberAndIndex', height, at), expected);
      assert.deepEqual(
        await ask('eth_getTransactionByBlockHashAndIndex', block.hash, at),
        expected,
      );
    }
    const beyond = toQuantity(POSITION);
    assert.equal(await ask('eth_getTransactionByBlockNumberAndIndex', height, beyond), null);
    assert.equal(await ask('eth_getTransactionByBlockHashAndIndex', block.hash, beyond), null);
  });

  it('has the original logs, together with earlier and later ones', async () => {
    const logs = originals.slice(0, POSITION).flatMap((receipt) => here(receipt).logs);
    const inside = { fromBlock: height, toBlock: height };
    assert.deepEqual(await ask('eth_getLogs', inside), logs);
    assert.deepEqual(await ask('eth_getLogs', { blockHash: block.hash }), logs);
    const lottery = logs.filter(({ address }) => address === LOTTERY.address);
    assert.equal(lottery.length, 2);
    const address = [LOTTERY.address.toUpperCase().replace('0X', '0x')];
    assert.deepEqual(await ask('eth_getLogs', { ...inside, address }), lottery);
    assert.deepEqual(await ask('eth_getLogs', { ...inside, topics: [toWord(77)] }), []);
    const all = await ask<RpcLog[]>('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
    assert.deepEqual(all.slice(-logs.length - 1, -1), logs);
    assert.equal(all.at(-1)?.address, COUNTER);
  });

  it('is the context of calls in it', async () => {
    const inside = await service.create({ height, position: POSITION });
    const code = '0x445f5260205ff3'; // returns PREVRANDAO
    const state = { [COUNTER]: { code } };
    const options = { tracer: 'callTracer', stateOverrides: state };
    for (const at of ['latest', height]) {
      assert.equal(
        await call(inside.rpc, 'eth_call', { to: COUNTER }, at, state),
        original.mixHash,
      );
      const { output } = await call<{ output: string }>(
        inside.rpc,
        'debug_traceCall',
        { to: COUNTER },
        at,
        options,
      );
      assert.equal(output, original.mixHash);
    }
    const random = toWord(5);
    assert.equal(
      await call(inside.rpc, 'eth_call', { to: COUNTER }, height, state, { random }),
      random,
    );
    const earlier = toQuantity(mainnet.busy - 1);
    const before = await call<RpcBlock>(mainnet.url, 'eth_getBlockByNumber', earlier, false);
    assert.equal(
      await call(inside.rpc, 'eth_call', { to: COUNTER }, earlier, state),
      before.mixHash,
    );
  });

  it('is traced by a replay if the node has no traces', async () => {
    const { transactionHash, gasUsed, logs } = originals[BUSY.lottery]!;
    const frame = await ask<Frame>('debug_traceTransaction', transactionHash, CALL_TRACER);
    assert.deepEqual([frame.to, frame.gasUsed], [LOTTERY.address, gasUsed]);
    assert.deepEqual(
      frame.logs?.map(({ data }) => data),
      logs.map(({ data }) => data),
    );
    const traces = await ask<{ txHash: string; result: Frame }[]>(
      'debug_traceBlockByNumber',
      height,
      CALL_TRACER,
    );
    assert.deepEqual(
      traces.map(({ txHash, result }) => [txHash, result.gasUsed, result.error === undefined]),
      originals
        .slice(0, POSITION)
        .map((one) => [one.transactionHash, one.gasUsed, one.status === '0x1']),
    );
  });

  it("is traced in Parity's format if nothing depends on PREVRANDAO, else the trace is refused", async () => {
    const { transactionHash, from } = originals[BUSY.accessList]!;
    const [trace, ...more] = await ask<ParityTrace[]>('trace_transaction', transactionHash);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [trace!.action.from, trace!.action.to, trace!.transactionPosition, trace!.blockHash],
      [from, COUNTER, BUSY.accessList, block.hash],
    );
    const { code, message } = await refusal(fork.rpc, 'trace_block', height);
    assert.equal(code, -32002);
    assert.match(
      message,
      /offers no traces, and executing the block again differs at transaction 3/,
    );
    const filtered = await refusal(fork.rpc, 'trace_filter', { fromBlock: height });
    assert.match(filtered.message, /the method does not exist/);
  });

  it('is traced together with older blocks', async () => {
    const whole = await service.create({ height });
    // From a node without a method for the receipts of a block.
    assert.deepEqual(await call(whole.rpc, 'eth_getBlockReceipts', height), originals);
    const last = originals.at(-1)!;
    const frame = await call<Frame>(
      whole.rpc,
      'debug_traceTransaction',
      last.transactionHash,
      CALL_TRACER,
    );
    assert.deepEqual([frame.to, frame.gasUsed], [COUNTER, last.gasUsed]);
    const traces = await call<unknown[]>(
      whole.rpc,
      'debug_traceBlockByNumber',
      height,
      CALL_TRACER,
    );
    assert.equal(traces.length, originals.length);
    const bytes = await call<Record<string, number>>(
      whole.rpc,
      'debug_traceTransaction',
      last.transactionHash,
      { tracer: 'noopTracer' },
    );
    assert.deepEqual(bytes, {});
    const selectors = await call<object>(
      whole.rpc,
      'debug_traceTransaction',
      last.transactionHash,
      { tracer: '4byteTracer' },
    );
    assert.deepEqual(selectors, {});
  });
});
