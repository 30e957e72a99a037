import assert from 'node:assert/strict';
import { call, refusal } from '../support/json-rpc';
import { useForkAddress } from './fork-suite';
import { ALICE, COUNTER } from './fork-upstream';

const MAX_GAS = 250_000_000;
/** GAS PUSH0 MSTORE PUSH1 0x20 PUSH0 RETURN: returns the remaining gas. */
const GAS_REPORTER = '0x5a5f5260205ff3';
const ABOVE = { gasLimit: '0xffffffffffff' };

describe('the gas of calls to a fork', () => {
  const on = useForkAddress();

  it('is limited in every method', async () => {
    const left = async (method: string, ...params: unknown[]): Promise<number> => {
      const answer = await call<
        string | { output: string } | { calls: { returnData: string }[] }[]
      >(on.rpc, method, ...params);
      if (typeof answer === 'string') return Number(answer);
      return Number(Array.isArray(answer) ? answer[0]!.calls[0]!.returnData : answer.output);
    };
    const tracer = { tracer: 'callTracer' };
    const simulated = (blockOverrides: object, gas?: string): object => ({
      blockStateCalls: [{ blockOverrides, calls: [{ data: GAS_REPORTER, gas }] }],
    });
    const asked: [number, string, ...unknown[]][] = [
      [MAX_GAS, 'eth_call', { data: GAS_REPORTER, gas: '0xffffffffffff' }, 'latest'],
      [MAX_GAS, 'eth_call', { data: GAS_REPORTER }, 'latest', null, ABOVE],
      [MAX_GAS, 'eth_call', { data: GAS_REPORTER, gas: '0xffffffffffff' }, 'latest', {}, ABOVE],
      [
        MAX_GAS,
        'debug_traceCall',
        { data: GAS_REPORTER },
        'latest',
        { ...tracer, blockOverrides: ABOVE },
      ],
      [MAX_GAS, 'eth_simulateV1', simulated(ABOVE, '0xffffffffffff'), 'latest'],
      // The calls name no gas.
      [50_000_000, 'eth_simulateV1', simulated(ABOVE), 'latest'],
    ];
    for (const [bound, method, ...params] of asked) {
      const gas = await left(method, ...params);
      // Minus the intrinsic gas of a creation.
      assert.ok(gas < bound && gas > bound - 60_000, `${method} ${JSON.stringify(params)}: ${gas}`);
    }
  });

  it('is priced with the suggested tip, as on other nodes', async () => {
    await call(on.rpc, 'anvil_setNextBlockBaseFeePerGas', '0x2540be400');
    const [price, base, tip] = await Promise.all(
      ['eth_gasPrice', 'eth_baseFee', 'eth_maxPriorityFeePerGas'].map((method) =>
        call(on.rpc, method),
      ),
    );
    assert.deepEqual([Number(base), Number(tip)], [10_000_000_000, 1_000_000_000]);
    assert.equal(Number(price), 11_000_000_000);
    const { tx } = await call<{ tx: { gasPrice: string } }>(on.rpc, 'eth_fillTransaction', {
      from: ALICE.address,
      to: COUNTER,
      type: '0x0',
    });
    assert.equal(tx.gasPrice, price);
  });

  it('is limited for all calls of a simulation together', async () => {
    const calls = (count: number, gas: string): object[] =>
      Array.from({ length: count }, () => ({ data: GAS_REPORTER, gas }));
    const simulate = (...blocks: object[][]): [object, string] => [
      { blockStateCalls: blocks.map((one) => ({ blockOverrides: ABOVE, calls: one })) },
      'latest',
    ];
    assert.deepEqual(
      await refusal(
        on.rpc,
        'eth_simulateV1',
        ...simulate(calls(2, '0x5f5e100'), calls(1, '0x5f5e100')),
      ),
      {
        code: -38026,
        message:
          'the calls of the simulation have 300000000 gas together; accepted: up to 250000000; calls without a gas limit share the remaining gas',
      },
    );
    const open = Array.from({ length: 30 }, () => ({ data: GAS_REPORTER }));
    const [{ calls: results }] = await call<[{ calls: { status: string }[] }]>(
      on.rpc,
      'eth_simulateV1',
      ...simulate(open),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      open.map(() => '0x1'),
      'calls without a gas limit share the limit',
    );
    assert.deepEqual(await refusal(on.rpc, 'eth_simulateV1', ...simulate(calls(1_001, '0x5208'))), {
      code: -38026,
      message: 'the simulation has 1001 calls; accepted: up to 1000',
    });
  });
});
