import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import {
  callOnNextBlock,
  isOnNextBlock,
  withGas,
} from '../../../../server/forks/writes/next-block-calls';
import { ScriptedRpc } from '../../../support/scripted-rpc';

describe('calls on the next block', () => {
  const call = { to: '0x1' };

  it('are those on the pending block, and estimates without a block', () => {
    for (const [method, params, expected] of [
      ['eth_call', [call], false],
      ['eth_call', [call, null], false],
      ['eth_call', [call, 'latest'], false],
      ['eth_call', [call, 'pending'], true],
      ['eth_estimateGas', [call], true],
      ['eth_estimateGas', [call, null], true],
      ['eth_estimateGas', [call, 'latest'], false],
      ['eth_getBalance', ['0x1', 'pending'], false],
      ['toString', [call, 'pending'], false],
    ] as const) {
      assert.equal(
        isOnNextBlock({ method, params }),
        expected,
        `${method} ${JSON.stringify(params)}`,
      );
    }
  });

  const asked = async (...params: unknown[]) => {
    const engine = new ScriptedRpc({ eth_call: () => '0x' });
    await callOnNextBlock(engine, { method: 'eth_call', params }, 100);
    return engine.calls[0]?.params;
  };

  it('have the time of the next block, unless the client gives one', async () => {
    const state = { '0x2': {} };
    const time = '0x64';
    assert.deepEqual(await asked(call), [call, 'pending', null, { time }]);
    assert.deepEqual(await asked(call, 'pending', state, null), [call, 'pending', state, { time }]);
    const number = { number: '0x5' };
    assert.deepEqual(await asked(call, 'pending', state, number), [
      call,
      'pending',
      state,
      { ...number, time },
    ]);
    for (const given of [{ time: '0x1' }, 'text', [], 5]) {
      const params = [call, 'pending', state, given];
      assert.deepEqual(await asked(...params), params);
    }
  });
});

describe('withGas', () => {
  const send = (...params: unknown[]) => ({ method: 'eth_sendTransaction', params });
  const estimated = async (...params: unknown[]) => {
    const engine = new ScriptedRpc({ eth_estimateGas: () => '0x5208' });
    return { sent: await withGas(engine, send(...params), 100), calls: engine.calls };
  };

  it('adds the estimate for the next block', async () => {
    const { sent, calls } = await estimated({ to: '0x1' }, 'more');
    assert.deepEqual(sent, send({ to: '0x1', gas: '0x5208' }, 'more'));
    assert.deepEqual(calls, [
      { method: 'eth_estimateGas', params: [{ to: '0x1' }, 'pending', null, { time: '0x64' }] },
    ]);
    for (const gas of [null, undefined]) {
      assert.deepEqual((await estimated({ gas })).sent, send({ gas: '0x5208' }));
    }
  });

  it('leaves other transactions as they are', async () => {
    for (const transaction of [{ gas: '0x1' }, '0x02f8', null, undefined]) {
      const { sent, calls } = await estimated(transaction);
      assert.deepEqual([sent, calls], [send(transaction), []]);
    }
    const engine = new ScriptedRpc({
      eth_estimateGas: () => {
        throw new RpcError(3, 'execution reverted');
      },
    });
    assert.deepEqual(await withGas(engine, send({ to: '0x1' }), 100), send({ to: '0x1' }));
  });
});
