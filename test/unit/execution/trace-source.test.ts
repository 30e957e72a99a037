import assert from 'node:assert/strict';
import type { MinedTransaction, Network, TraceSource } from '../../../server/analysis/ports';
import { ApiError } from '../../../server/api/errors';
import { RpcError } from '../../../server/evm/forms/json-rpc';
import { CallTraces } from '../../../server/execution/tracing/call-traces';
import { DebugApi } from '../../../server/execution/tracing/debug-api';
import { NetworkTraceSource } from '../../../server/execution/trace-source';
import { account, frame, mined, network, TRACED } from '../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../support/scripted-rpc';

const debug: Handlers = { debug_traceTransaction: () => TRACED };
const broken: Handlers = {
  debug_traceTransaction: () => {
    throw new RpcError(-32000, 'no such tracer');
  },
};
const hanging: Handlers = {
  debug_traceTransaction: () => {
    throw new ApiError('timedOut', 'the node did not answer within 120 s');
  },
};
const replay: TraceSource = {
  trace: () => Promise.resolve({ root: frame(), method: 'replay', reportedGas: 21_000 }),
};
const noReplay: TraceSource = {
  trace: () => Promise.reject(new ApiError('engineUnavailable', 'no engine')),
};

describe('NetworkTraceSource', () => {
  const method = async (
    handlers: Handlers,
    facts: Partial<Network> = {},
    by: TraceSource = replay,
    transaction: MinedTransaction = mined(),
  ) => {
    const source = new NetworkTraceSource(new DebugApi(), by, new CallTraces());
    const on = network(new ScriptedRpc(handlers), { replayable: true, ...facts });
    return (await source.trace(on, transaction, new AbortController().signal)).method;
  };

  it("prefers the node's trace", async () => {
    assert.equal(await method(debug), 'debug');
  });

  it('executes the transaction again if the node cannot trace it', async () => {
    assert.equal(await method({}), 'replay');
    assert.equal(await method(broken), 'replay');
    assert.equal(await method(hanging), 'replay');
  });

  it("executes it again if the node omits the logs, and returns the node's trace if that fails", async () => {
    const receipt = { logs: [{ address: account(1), topics: [], data: '0x' }] } as const;
    const withLogs = mined({
      receipt: { logs: [...receipt.logs.map((log) => ({ ...log, topics: [] }))] },
    });
    assert.equal(await method(debug, {}, replay, withLogs), 'replay');
    assert.equal(await method(debug, {}, noReplay, withLogs), 'debug');
  });

  it('does not execute again on a network that is an engine itself', async () => {
    const engine = { replayable: false };
    assert.equal(await method(debug, engine), 'debug');
    await assert.rejects(method({}, engine), { kind: 'upstreamLacksData' });
    await assert.rejects(method(broken, engine), { kind: 'upstreamLacksData' });
    await assert.rejects(method(hanging, engine), { kind: 'timedOut' });
  });

  it('reports the error if neither way works', async () => {
    await assert.rejects(method({}, {}, noReplay), { kind: 'engineUnavailable' });
  });
});
