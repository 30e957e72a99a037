import assert from 'node:assert/strict';
import type { SimulationRequest } from '../../../../server/analysis/simulation/simulation';
import { ApiError, type ApiErrorName } from '../../../../server/api/errors';
import type { RpcBlock } from '../../../../server/evm/forms/types';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import { Executions } from '../../../../server/execution/engines/executions';
import { DebugCallSimulator } from '../../../../server/execution/simulate/call-simulator';
import { account, mined, network, word } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';
import { certainRules } from '../../../support/block-rules';

const A = account(0xa11);
const B = account(0xb0b);
const NEVER = new AbortController().signal;
const { block: header, transaction } = mined({ block: { mixHash: word(0x7a) } });
const block: RpcBlock = { ...header, transactions: [transaction, transaction] };
const frame = { type: 'CALL', from: A, to: B, gas: '0x1', gasUsed: '0x5208', input: '0x' };

interface Options {
  tracer?: string;
  tracerConfig?: { diffMode?: boolean };
  stateOverrides?: Record<string, { nonce?: string; balance?: string }>;
  blockOverrides?: Record<string, string>;
}
/** A node with the debug API that applies overrides. */
const NODE: Handlers = {
  eth_getTransactionCount: () => '0x9',
  debug_traceCall: (call: { from?: string }, _tag: string, { tracer, tracerConfig }: Options) => {
    if (call.from === undefined) return { output: word(0x1f) };
    if (tracer !== 'prestateTracer') return frame;
    return tracerConfig?.diffMode ? { pre: {}, post: {} } : {};
  },
};

function simulator(
  handlers: Handlers,
  { replayable = true, now = (): number => 0, rules = certainRules('prague') } = {},
) {
  const rpc = new ScriptedRpc(handlers);
  const engines: unknown[] = [];
  const source = new DebugCallSimulator(
    {
      startEngine: (parameters) => {
        engines.push(parameters);
        return Promise.resolve({
          rpc: new ScriptedRpc(NODE),
          inTurn: (_, send) => send(() => undefined, undefined),
          kept: () => undefined,
          send: () => undefined,
          pid: 1,
          url: 'http://127.0.0.1:1',
          exited: new Promise(() => undefined),
          stop: () => Promise.resolve({ code: 0, signal: null, log: [] }),
        });
      },
      openUpstream: () => Promise.resolve({ url: 'http://127.0.0.1:1', close: () => undefined }),
      rulesOf: () => Promise.resolve(rules),
    },
    new Executions(),
    { now },
  );
  const simulate = (request: Partial<SimulationRequest> = {}) =>
    source.simulate(
      {
        network: network(rpc, { replayable }),
        block,
        tag: '0x64',
        position: 2,
        call: { from: A, to: B, value: '0x0', data: '0x', gas: '0x5208' },
        stateOverrides: {},
        blockOverrides: {},
        ...request,
      },
      NEVER,
    );
  const traced = () => rpc.calls.filter(({ method }) => method === 'debug_traceCall');
  return { rpc, simulate, traced, engines };
}
const failing = (error: Error): Handlers => ({
  ...NODE,
  debug_traceCall: () => {
    throw error;
  },
});
const rejects = (work: Promise<unknown>, kind: ApiErrorName, message: RegExp) =>
  assert.rejects(
    work,
    (error) => error instanceof ApiError && error.kind === kind && message.test(error.message),
  );

describe('DebugCallSimulator', () => {
  it('asks the node after a whole block', async () => {
    const { simulate, traced, engines } = simulator(NODE);
    const answer = await simulate();
    assert.deepEqual(answer, {
      method: 'debug',
      callTrace: frame,
      details: undefined,
      touched: {},
      nonce: '0x9',
      stateDiff: { status: 'fulfilled', value: { pre: {}, post: {} } },
    });
    assert.deepEqual(
      traced().map(({ params }) => params[1]),
      ['0x64', '0x64', '0x64'],
    );
    assert.equal(engines.length, 0);
  });

  it('sends no overrides to a node that ignores them', async () => {
    const deaf = { ...NODE, debug_traceCall: () => ({ output: '0x' }) };
    const { simulate, traced, engines } = simulator(deaf);
    const stateOverrides = { [A]: { balance: '0x1' } } as const;
    assert.equal((await simulate({ stateOverrides })).method, 'replay');
    assert.equal((await simulate({ stateOverrides })).method, 'replay');
    assert.equal(traced().length, 1, 'one probe');
    assert.equal(engines.length, 2);
    const honest = simulator(NODE);
    assert.equal((await honest.simulate({ stateOverrides })).method, 'debug');
  });

  it('does not ask a node without the method again for ten minutes', async () => {
    let time = 0;
    const lacking = failing(new RpcError(-32601, 'the method debug_traceCall does not exist'));
    const { simulate, traced, engines } = simulator(lacking, { now: () => time });
    await simulate();
    const asked = traced().length;
    await simulate();
    assert.equal(traced().length, asked);
    assert.equal(engines.length, 2);
    time = 10 * 60_000;
    await simulate();
    assert.ok(traced().length > asked);
  });

  it('refuses more gas than a transaction may have (EIP-7825)', async () => {
    const withGas = (gas: number, chainId = 1, isGuess = false) => {
      const rules = { ...certainRules('osaka'), chainId, isGuess };
      const call = { from: A, to: B, value: '0x0', data: '0x', gas: toQuantity(gas) } as const;
      return simulator(NODE, { rules }).simulate({ call });
    };
    await withGas(2 ** 24);
    await withGas(2 ** 25, 137);
    await withGas(2 ** 26, 1, true);
    const text =
      /^the transaction cannot be executed: gas is (\d+), a transaction may have up to (\d+) \(EIP-7825\)$/;
    await rejects(withGas(2 ** 24 + 1), 'simulationRejected', text);
    await rejects(withGas(2 ** 25 + 1, 137), 'simulationRejected', text);
  });

  it('distinguishes an invalid transaction from missing data of the node', async () => {
    const poor = new RpcError(-32000, 'insufficient funds for gas * price + value');
    const refused = /^the transaction cannot be executed: insufficient funds/;
    await rejects(simulator(failing(poor)).simulate(), 'simulationRejected', refused);
    const limits = new RpcError(-32003, 'whatever');
    await rejects(
      simulator(failing(limits)).simulate(),
      'simulationRejected',
      /cannot be executed: whatever$/,
    );
    const broken = new RpcError(-32000, 'database is closed');
    assert.equal((await simulator(failing(broken)).simulate()).method, 'replay');
    await rejects(
      simulator(failing(broken), { replayable: false }).simulate(),
      'upstreamLacksData',
      /^the transaction cannot be simulated: database is closed$/,
    );
  });

  it("simulates inside a block of a fork on the parent's state, with the changes of earlier transactions", async () => {
    const diff = {
      pre: { [A]: { balance: '0x5', storage: { [word(1)]: word(7) } }, [B]: { balance: '0x1' } },
      post: { [A]: { balance: '0x4', nonce: 3 } },
    };
    const { simulate, traced } = simulator(
      { ...NODE, debug_traceTransaction: () => diff },
      { replayable: false },
    );
    const { nonce } = await simulate({
      position: 1,
      stateOverrides: { [A]: { balance: '0x64', stateDiff: { [word(2)]: word(8) } } },
      blockOverrides: { time: '0x1' },
    });
    assert.equal(nonce, '0x3');
    const [, tag, options] = traced()[0]!.params as [unknown, string, Options];
    assert.equal(tag, '0x63');
    assert.deepEqual(options.stateOverrides, {
      [A]: { balance: '0x64', nonce: '0x3', stateDiff: { [word(1)]: word(0), [word(2)]: word(8) } },
      [B]: { balance: '0x0', nonce: '0x0', code: '0x', state: {} },
    });
    assert.deepEqual(options.blockOverrides, {
      number: '0x64',
      time: '0x1',
      gasLimit: block.gasLimit,
      feeRecipient: block.miner,
      prevRandao: word(0x7a),
    });
  });

  it('fails inside a block if the node does not report the changes of earlier transactions', async () => {
    const { simulate } = simulator(
      { ...NODE, debug_traceTransaction: () => ({ gas: 1 }) },
      { replayable: false },
    );
    await rejects(
      simulate({ position: 1 }),
      'upstreamLacksData',
      /^the node does not return the changes of the first 1 transactions of block 100$/,
    );
  });
});
