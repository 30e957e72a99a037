import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { forkMethod } from '../../../../server/forks/methods/fork-methods';
import {
  canonicalName,
  CHANGES,
  READS,
  REFUSED,
} from '../../../../server/forks/methods/method-names';
import { METHOD_TABLE, methodTable } from '../../../../server/forks/methods/method-table';
import { boundGas } from '../../../../server/forks/methods/gas-bound';
import { changeCalls } from '../../../../server/forks/methods/method-parameters';

const ACCOUNT = `0x${'11'.repeat(20)}`;
const TOKEN = `0x${'22'.repeat(20)}`;

describe('methods of a fork', () => {
  it('are either reads, changes or refused', () => {
    for (const method of READS) {
      // Missing fields are added to transactions.
      const kind = method.startsWith('eth_getTransactionBy') ? 'read' : 'pass';
      assert.equal(forkMethod({ method, params: [] }).kind, kind, method);
    }
    // Methods that change the clock need a number.
    for (const method of CHANGES)
      assert.equal(forkMethod({ method, params: [1] }).kind, 'write', method);
    for (const method of Object.keys(REFUSED)) {
      assert.throws(
        () => forkMethod({ method, params: [] }),
        (error: unknown) => error instanceof RpcError && error.code === -32004,
        method,
      );
      assert.ok(!READS.has(canonicalName(method)) && !CHANGES.has(canonicalName(method)), method);
    }
  });

  it('are all in the table, which lists no others', () => {
    for (const { methods } of METHOD_TABLE) {
      for (const method of methods) {
        if (method.endsWith('subscribe')) continue;
        try {
          forkMethod({ method, params: [] });
        } catch (error) {
          // Some methods refuse a call without parameters.
          assert.ok(error instanceof RpcError && [-32602, -32004].includes(error.code), method);
        }
      }
    }
    const listed = METHOD_TABLE.flatMap(({ methods }) => methods);
    assert.equal(new Set(listed).size, listed.length);
    for (const method of ['eth_call', 'hardhat_setBalance', 'tenderly_setErc20Balance']) {
      assert.ok(listed.includes(method), method);
    }
    assert.ok(methodTable().includes('| Over WebSocket only | `eth_subscribe`'));
    assert.ok(
      !listed.some((method) => Object.hasOwn(REFUSED, method) && !method.endsWith('scribe')),
    );
  });

  it('have the names that other tools use', () => {
    assert.equal(canonicalName('hardhat_setBalance'), 'anvil_setBalance');
    assert.equal(canonicalName('tenderly_setErc20Balance'), 'tenderly_setErc20Balance');
    assert.equal(canonicalName('hardhat_dealERC20'), 'anvil_dealERC20');
    assert.equal(canonicalName('forklens_setBalance'), 'anvil_setBalance');
    assert.equal(canonicalName('evm_increaseBlocks'), 'anvil_mine');
    assert.equal(canonicalName('anvil_increaseTime'), 'evm_increaseTime');
    assert.equal(canonicalName('hardhat_mine'), 'anvil_mine');
    assert.equal(canonicalName('evm_mine'), 'evm_mine');
    assert.equal(canonicalName('eth_setBalance'), 'eth_setBalance');
    assert.equal(canonicalName('anvil_toString'), 'anvil_toString');
  });

  it("accept Tenderly's parameters in Tenderly's order", () => {
    assert.deepEqual(
      changeCalls('tenderly_addBalance', 'anvil_addBalance', [[ACCOUNT, TOKEN], '0x5']),
      [
        { method: 'anvil_addBalance', params: [ACCOUNT, '0x5'] },
        { method: 'anvil_addBalance', params: [TOKEN, '0x5'] },
      ],
    );
  });

  it('bound the gas of calls, and do not change other parameters', () => {
    const small = { method: 'eth_call', params: [{ to: TOKEN, gas: '0x5208' }, 'latest'] };
    const passed = (params: unknown[]) => {
      const method = forkMethod({ method: 'eth_call', params });
      assert.ok(method.kind === 'pass');
      return method.call;
    };
    assert.deepEqual(passed(small.params), small);
    assert.deepEqual(passed([{ to: TOKEN, gas: '0xffffffffffff' }, 'latest']), {
      method: 'eth_call',
      params: [{ to: TOKEN, gas: '0xee6b280' }, 'latest'],
    });
    const simulation = boundGas({
      method: 'eth_simulateV1',
      params: [
        {
          blockStateCalls: [
            {
              blockOverrides: { gasLimit: '0xffffffffffff' },
              calls: [{ to: TOKEN, gas: '0xffffffffffff' }],
            },
          ],
        },
        'latest',
      ],
    });
    assert.deepEqual(simulation.params, [
      {
        blockStateCalls: [
          { blockOverrides: { gasLimit: '0xee6b280' }, calls: [{ to: TOKEN, gas: '0xee6b280' }] },
        ],
      },
      'latest',
    ]);
  });

  it('bound the gas in the same way if a block override raises the limit', () => {
    const above = { gasLimit: '0xffffffffffff' };
    const bound = { to: TOKEN, gas: '0xee6b280' };
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList']) {
      const params = [{ to: TOKEN }, 'latest', null, above];
      const bounded = [bound, 'latest', null, above];
      assert.deepEqual(boundGas({ method, params }).params, bounded);
      const named = { method, params: [{ to: TOKEN, gas: '0x5208' }, 'latest', null, above] };
      assert.equal(boundGas(named), named);
    }
    const options = { tracer: 'callTracer', blockOverrides: above };
    assert.deepEqual(
      boundGas({ method: 'debug_traceCall', params: [{ to: TOKEN }, 'latest', options] }).params,
      [bound, 'latest', options],
    );
  });

  it('accept amounts of gas only in unambiguous forms', () => {
    const asked = (method: string, ...params: unknown[]): string => {
      try {
        forkMethod({ method, params });
        return 'taken';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const quantity = 'accepted: a quantity as hex';
    for (const gas of ['0x5208', '21000', 21_000, null, '0x'])
      assert.equal(asked('eth_call', { to: TOKEN, gas }, 'latest'), 'taken');
    for (const gas of ['0xffff_ffff_ffff', '0b1', 1.5, true, ['0x1']]) {
      const message = `gas is ${JSON.stringify(gas)}; ${quantity}`;
      assert.equal(asked('eth_call', { to: TOKEN, gas }, 'latest'), message);
    }
    const gasLimit = '0xffff_ffff_ffff';
    const limit = `blockOverrides.gasLimit is "${gasLimit}"; ${quantity}`;
    assert.equal(asked('eth_call', {}, 'latest', {}, { gasLimit }), limit);
    assert.equal(asked('debug_traceCall', {}, 'latest', { blockOverrides: { gasLimit } }), limit);
    assert.equal(
      asked('evm_setBlockGasLimit', gasLimit),
      `the block gas limit is "${gasLimit}"; ${quantity}`,
    );
    // The engine would assign the members of a list in order.
    assert.equal(
      asked('eth_call', {}, 'latest', {}, [null, null, null, '0xffffffffffff']),
      'blockOverrides is [null,null,null,"0xffffffffffff"]; accepted: an object',
    );
  });
});
