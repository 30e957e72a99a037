import assert from 'node:assert/strict';
import { RpcError } from '../../../server/ethereum/json-rpc';
import { forkMethod } from '../../../server/forks/fork-methods';
import { canonicalName, CHANGES, READS, REFUSED } from '../../../server/forks/method-names';
import { changeCalls } from '../../../server/forks/method-parameters';

const ACCOUNT = `0x${'11'.repeat(20)}`;
const TOKEN = `0x${'22'.repeat(20)}`;

describe('methods of a fork', () => {
  it('are reads, changes or refused, and never two of these', () => {
    for (const method of READS)
      assert.equal(forkMethod({ method, params: [] }).kind, 'pass', method);
    for (const method of CHANGES)
      assert.equal(forkMethod({ method, params: [] }).kind, 'write', method);
    for (const method of Object.keys(REFUSED)) {
      assert.throws(
        () => forkMethod({ method, params: [] }),
        (error: unknown) => error instanceof RpcError && error.code === -32004,
        method,
      );
      assert.ok(!READS.has(canonicalName(method)) && !CHANGES.has(canonicalName(method)), method);
    }
  });

  it('have the names that every tool uses', () => {
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

  it("take Tenderly's parameters in Tenderly's order", () => {
    assert.deepEqual(
      changeCalls('tenderly_addBalance', 'anvil_addBalance', [[ACCOUNT, TOKEN], '0x5']),
      [
        { method: 'anvil_addBalance', params: [ACCOUNT, '0x5'] },
        { method: 'anvil_addBalance', params: [TOKEN, '0x5'] },
      ],
    );
  });

  it('bound the gas of calls, and leave the rest as it was', () => {
    const small = { method: 'eth_call', params: [{ to: TOKEN, gas: '0x5208' }, 'latest'] };
    assert.deepEqual(forkMethod(small), { kind: 'pass', call: small });
    const large = forkMethod({
      method: 'eth_call',
      params: [{ to: TOKEN, gas: '0xffffffffffff' }, 'latest'],
    });
    assert.deepEqual(large, {
      kind: 'pass',
      call: { method: 'eth_call', params: [{ to: TOKEN, gas: '0xee6b280' }, 'latest'] },
    });
    const simulation = forkMethod({
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
    assert.deepEqual(simulation.kind === 'pass' && simulation.call.params, [
      {
        blockStateCalls: [
          { blockOverrides: { gasLimit: '0xee6b280' }, calls: [{ to: TOKEN, gas: '0xee6b280' }] },
        ],
      },
      'latest',
    ]);
  });
});
