import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { DebugApi } from '../../../../server/execution/tracing/debug-api';
import { HASH, mined, network, TRACED } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const NEVER = new AbortController().signal;

describe('DebugApi', () => {
  const setUp = (handlers: Handlers) => {
    const rpc = new ScriptedRpc(handlers);
    const clock = { now: 0 };
    const api = new DebugApi({ now: () => clock.now, timeoutMs: 10_000 });
    return { rpc, clock, trace: () => api.trace(network(rpc), mined(), NEVER) };
  };

  it('requests the call tree with logs', async () => {
    const { rpc, trace } = setUp({ debug_traceTransaction: () => TRACED });
    const found = await trace();
    assert.equal(found?.method, 'debug');
    assert.equal(found.root.from, TRACED.from);
    assert.deepEqual(rpc.calls, [
      {
        method: 'debug_traceTransaction',
        params: [HASH, { tracer: 'callTracer', tracerConfig: { withLog: true }, timeout: '9s' }],
      },
    ]);
  });

  it('does not ask a node without the method again for a while', async () => {
    const { rpc, clock, trace } = setUp({});
    assert.equal(await trace(), undefined);
    assert.equal(await trace(), undefined);
    assert.equal(rpc.calls.length, 1);
    clock.now += 3_600_000;
    assert.equal(await trace(), undefined);
    assert.equal(rpc.calls.length, 2);
  });

  it('reports why the node cannot trace the transaction, and asks again', async () => {
    const { rpc, trace } = setUp({
      debug_traceTransaction: () => {
        throw new RpcError(-32000, 'execution timeout');
      },
    });
    const lacks = {
      kind: 'upstreamLacksData',
      message: `the node of test cannot trace ${HASH}: execution timeout`,
    };
    await assert.rejects(trace(), lacks);
    await assert.rejects(trace(), lacks);
    assert.equal(rpc.calls.length, 2);
  });

  const failed = { ...TRACED, error: 'execution reverted' };
  const log = { address: TRACED.to, topics: [], data: '0x01', position: 0 };
  const byTracer = (script: () => unknown): Handlers => ({
    debug_traceTransaction: (_hash, { tracer }: { tracer: string }) =>
      tracer === 'callTracer' ? failed : script(),
  });

  it('adds the logs of reverted frames if the node runs custom tracers', async () => {
    const { rpc, trace } = setUp(byTracer(() => ({ calls: [], logs: [log] })));
    const found = await trace();
    assert.deepEqual(found?.root.items, [{ address: TRACED.to, topics: [], data: '0x01' }]);
    assert.equal(rpc.calls.length, 2);
  });

  it('omits them if the node does not, and does not ask again for a while', async () => {
    const { rpc, trace } = setUp(
      byTracer(() => {
        throw new RpcError(-32000, 'tracer not found');
      }),
    );
    assert.deepEqual((await trace())?.root.items, []);
    assert.deepEqual((await trace())?.root.items, []);
    assert.equal(rpc.calls.length, 3);
  });

  it('asks again if only the execution was too long', async () => {
    const { rpc, trace } = setUp(
      byTracer(() => {
        throw new RpcError(-32000, 'Error: too many steps at step (<eval>:9:60)');
      }),
    );
    assert.deepEqual((await trace())?.root.items, []);
    assert.deepEqual((await trace())?.root.items, []);
    assert.equal(rpc.calls.length, 4);
  });
});
