import assert from 'node:assert/strict';
import { turnOf, type CallTurn } from '../../../../server/chains/engine/call-turn';

const FORK_BLOCK = 100;
const kindOf = (method: string, ...params: unknown[]): CallTurn['kind'] =>
  turnOf({ method, params }, FORK_BLOCK).kind;

describe('the turn of a call', () => {
  it('is that of a read of the newest state, also by default', () => {
    assert.equal(kindOf('eth_getBalance', '0x1', 'latest'), 'newest');
    assert.equal(kindOf('eth_getBalance', '0x1', 'pending'), 'newest');
    assert.equal(kindOf('eth_call', {}), 'newest');
    assert.equal(kindOf('eth_getStorageAt', '0x1', '0x0', null), 'newest');
    assert.equal(kindOf('eth_sendRawTransaction', '0x'), 'newest');
    assert.equal(kindOf('eth_getBlockByNumber', 'pending', false), 'newest');
  });

  it('depends on the newest block if a block is named by number', () => {
    const read = { method: 'eth_getCode', params: ['0x1', '0x65'] };
    assert.deepEqual(turnOf(read, FORK_BLOCK), { kind: 'numbered', number: 101 });
    assert.equal(kindOf('eth_getCode', '0x1', '0x64'), 'numbered');
    assert.equal(kindOf('eth_call', {}, { blockNumber: '0x65' }), 'numbered');
    assert.equal(kindOf('debug_traceCall', {}, '0x1'), 'numbered');
    assert.deepEqual(turnOf({ ...read, params: ['0x1', 'earliest'] }, undefined), {
      kind: 'numbered',
      number: 0,
    });
  });

  it('is a lookup before the fork point, where the upstream answers', () => {
    for (const block of ['0x63', 'earliest', { blockNumber: '0x1' }]) {
      assert.equal(kindOf('eth_getBalance', '0x1', block), 'lookup');
      assert.equal(kindOf('eth_simulateV1', {}, block), 'lookup');
    }
  });

  it('is that of older state for other block parameters, and for traces of mined transactions', () => {
    const hash = `0x${'ab'.repeat(32)}`;
    for (const block of ['safe', 'finalized', hash, { blockHash: hash }, 5, 'nonsense', {}]) {
      assert.equal(kindOf('eth_getBalance', '0x1', block), 'older');
    }
    assert.equal(kindOf('debug_traceTransaction', hash), 'older');
  });

  it('is a lookup if no state is read', () => {
    for (const method of ['eth_blockNumber', 'eth_getLogs', 'trace_transaction']) {
      assert.equal(kindOf(method), 'lookup');
    }
    assert.equal(kindOf('eth_getBlockByNumber', 'latest', false), 'lookup');
  });

  it('is a change for all other methods', () => {
    for (const method of ['evm_mine', 'anvil_setBalance', 'evm_revert', 'toString', 'eth_new']) {
      assert.equal(kindOf(method), 'change');
    }
  });
});
