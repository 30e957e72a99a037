import assert from 'node:assert/strict';
import { loadMined, fetchIncludedTransaction } from '../../server/analysis/transactions/load';
import type { Network } from '../../server/analysis/ports';
import { readStateDiff } from '../../server/analysis/state/diff';
import { traceDifference } from '../../server/analysis/traces/verify';
import type { Hash } from '../../server/api/primitives';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcBlock } from '../../server/evm/forms/types';
import type { Sandbox } from '../../server/chains/sandbox/sandbox';
import { DebugApi } from '../../server/execution/tracing/debug-api';
import type { EngineAtPositionPorts } from '../../server/execution/engines/engine-at-position';
import { Executions } from '../../server/execution/engines/executions';
import { TransactionTracer } from '../../server/execution/engines/transaction-tracer';
import { ThreadExecutor } from '../../server/execution/workers/thread-executor';
import { ReplayTraceSource } from '../../server/execution/replay/replay-trace-source';
import { StateDifferences } from '../../server/execution/points/state-differences';
import { BUSY } from '../support/mainnet-blocks';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { startTestSandbox } from '../support/sandbox';
import { testEngines, type TestEngines } from './fork-upstream';
import { certainRules } from '../support/block-rules';

/** Only engines decode the reason of a revert and detail an error; the views decode the output. */
const withoutReason = (root: unknown): unknown =>
  JSON.parse(
    JSON.stringify(root, (key, value: unknown) => {
      if (key === 'revertReason') return undefined;
      if (key === 'error') return String(value).split(':')[0];
      return typeof value === 'bigint' ? toQuantity(value) : value;
    }),
  );

const NEVER = new AbortController().signal;

describe('a transaction that is executed again', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let engines: TestEngines;
  let network: Network;
  let ports: EngineAtPositionPorts;
  let replay: ReplayTraceSource;
  before(async () => {
    [sandbox, engines] = await Promise.all([startTestSandbox(), testEngines()]);
    const { chain, engine } = sandbox;
    network = {
      key: chain.slug,
      chainId: chain.chainId,
      nativeSymbol: chain.nativeSymbol,
      rpc: engine.rpc,
      replayable: true,
    };
    ports = {
      startEngine: engines.start,
      openUpstream: () => Promise.resolve({ url: engine.url, close: () => undefined }),
      rulesOf: () => Promise.resolve(certainRules('prague')),
    };
    replay = new ReplayTraceSource(ports, new Executions());
  });
  after(async () => {
    await engines.close();
    await sandbox.stop();
  });

  const mined = async (hash: Hash) =>
    loadMined(network, await fetchIncludedTransaction(network, hash), NEVER);

  it('has the trace that the chain’s own node recorded, for the whole story', async () => {
    const debugApi = new DebugApi();
    for (const { id, hash } of sandbox.story) {
      const transaction = await mined(hash);
      const recorded = await debugApi.trace(network, transaction, NEVER);
      const replayed = await replay.trace(network, transaction, NEVER);
      assert.equal(traceDifference(replayed, transaction.receipt), undefined, id);
      assert.deepEqual(replayed.root, recorded?.root, id);
      assert.equal(replayed.method, 'replay');
    }
  });

  it('tells what it changed, as the chain’s own node does, where all in front of it was executed', async () => {
    const differences = new StateDifferences(new TransactionTracer(ports, new Executions()));
    let reported = 0;
    for (const { id, hash } of sandbox.story) {
      const transaction = await mined(hash);
      const { applied, changes, root } = await replay.trace(network, transaction, NEVER);
      if (applied !== Number(transaction.transaction.transactionIndex)) continue;
      reported++;
      const { answer, method } = await differences.diff(network, transaction, root, NEVER);
      assert.equal(method, 'debug');
      assert.deepEqual(readStateDiff(changes), readStateDiff(answer), id);
    }
    assert.ok(reported >= 9, `${reported} transactions; at least the first of each block`);
  });

  it('can be cancelled, and leaves no engine running', async () => {
    const cancelled = new AbortController();
    const { hash } = sandbox.story[0]!;
    const tracing = replay.trace(network, await mined(hash), cancelled.signal);
    cancelled.abort();
    await assert.rejects(tracing);
  });

  /** Of an engine that never starts. */
  const withoutEngine = (): EngineAtPositionPorts => ({
    ...ports,
    startEngine: (_parameters, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      }),
  });

  it('is made by a thread if the engine takes long', async () => {
    const executor = new ThreadExecutor();
    const patient = new ReplayTraceSource({ ...withoutEngine(), executor }, new Executions(), {
      patienceMs: 0,
    });
    const debugApi = new DebugApi();
    for (const { id, hash } of sandbox.story) {
      const transaction = await mined(hash);
      const recorded = await debugApi.trace(network, transaction, NEVER);
      const { root, executor: by } = await patient.trace(network, transaction, NEVER);
      assert.deepEqual([withoutReason(root), by], [withoutReason(recorded?.root), 'process'], id);
    }
  });

  it('reports a timeout', async () => {
    const { hash } = sandbox.story[0]!;
    const hasty = new ReplayTraceSource(withoutEngine(), new Executions(), { timeoutMs: 300 });
    await assert.rejects(hasty.trace(network, await mined(hash), NEVER), {
      kind: 'timedOut',
      message: `the replay of ${hash} took longer than 0.3 s`,
    });
  });
});

describe('a transaction with a prefix in its block', function () {
  this.timeout(60_000);
  let mainnet: MainnetUpstream;
  let engines: TestEngines;
  let replay: ReplayTraceSource;
  let network: Network;
  before(async () => {
    [mainnet, engines] = await Promise.all([MainnetUpstream.start(), testEngines()]);
    const { rpc } = mainnet;
    network = { key: 'eth', chainId: 1, nativeSymbol: 'ETH', rpc, replayable: true };
    replay = new ReplayTraceSource(
      {
        startEngine: engines.start,
        openUpstream: () => Promise.reject(new Error('no fork is needed for any of them')),
        rulesOf: () => Promise.resolve(certainRules('prague')),
      },
      new Executions(),
    );
  });
  after(async () => {
    await replay.close();
    await engines.close();
    await mainnet.close();
  });

  it('is executed after the transactions that it depends on, without a fork', async () => {
    const block = (await mainnet.rpc.request('eth_getBlockByNumber', [
      toQuantity(mainnet.busy),
      true,
    ])) as RpcBlock;
    const applied: Record<number, number | undefined> = {};
    for (const [index, { hash }] of block.transactions.entries()) {
      const mined = await loadMined(network, await fetchIncludedTransaction(network, hash), NEVER);
      const trace = await replay.trace(network, mined, NEVER);
      assert.equal(traceDifference(trace, mined.receipt), undefined, `transaction ${index}`);
      assert.ok(trace.state, `transaction ${index}`);
      applied[index] = trace.applied;
    }
    assert.equal(applied[BUSY.legacy], 0);
    assert.equal(applied[BUSY.creationBeforeEip155], 0);
    assert.equal(applied[BUSY.fundedInside], BUSY.fundedInside);
  });
});
