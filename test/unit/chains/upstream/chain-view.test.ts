import assert from 'node:assert/strict';
import { RpcError, type RpcCall, type RpcClient } from '../../../../server/evm/forms/json-rpc';
import { ChainView } from '../../../../server/chains/upstream/chain-view';

const OLD = `0x${'aa'.repeat(32)}`;
const LATER = `0x${'bb'.repeat(32)}`;

/** A chain with head 20; hashes of `a` belong to block 10, those of `b` to block 11. */
class Upstream implements RpcClient {
  readonly calls: RpcCall[] = [];

  request(method: string, params: readonly unknown[]): Promise<unknown> {
    this.calls.push({ method, params });
    const number = params[0] === LATER ? '0xb' : '0xa';
    if (method === 'eth_getBlockByHash') return Promise.resolve({ number });
    if (/Transaction(ByHash|Receipt)$/.test(method))
      return Promise.resolve({ blockNumber: number });
    return Promise.resolve({ method, params });
  }

  requestAll(): Promise<never> {
    throw new Error('not used');
  }
}

describe('a chain at the fork point', () => {
  let upstream: Upstream;
  let view: ChainView;
  beforeEach(() => {
    upstream = new Upstream();
    view = new ChainView({ chainId: 10, blockNumber: 10, upstream });
  });
  const ask = (method: string, ...params: unknown[]) => view.answer({ method, params });
  const asked = async (method: string, ...params: unknown[]) => {
    await ask(method, ...params);
    return upstream.calls.at(-1)?.params;
  };

  it('answers its id and its head without the node', async () => {
    assert.equal(await ask('eth_chainId'), '0xa');
    assert.equal(await ask('net_version'), '10');
    assert.equal(await ask('eth_blockNumber'), '0xa');
    assert.deepEqual(upstream.calls, []);
  });

  it('uses the fork point for every tag of a moving head', async () => {
    for (const tag of ['latest', 'safe', 'finalized', 'pending', undefined]) {
      assert.deepEqual(await asked('eth_getBalance', '0x1', tag), ['0x1', '0xa']);
    }
    assert.deepEqual(await asked('eth_call', {}), [{}, '0xa']);
    assert.deepEqual(await asked('eth_getStorageAt', '0x1', '0x0', 'earliest'), [
      '0x1',
      '0x0',
      'earliest',
    ]);
    assert.deepEqual(await asked('eth_getBlockByNumber', 'latest', true), ['0xa', true]);
    assert.deepEqual(await asked('eth_getCode', '0x1', { blockNumber: '0x5' }), ['0x1', '0x5']);
    assert.deepEqual(await asked('eth_getCode', '0x1', { blockHash: OLD }), [
      '0x1',
      { blockHash: OLD },
    ]);
  });

  it('hides blocks above it', async () => {
    assert.equal(await ask('eth_getBlockByNumber', '0xb', false), null);
    assert.equal(await ask('eth_getBlockReceipts', LATER), null);
    for (const state of ['0xb', LATER, { blockHash: LATER }, { blockNumber: '0xb' }]) {
      await assert.rejects(
        ask('eth_getBalance', '0x1', state),
        (error: unknown) => error instanceof RpcError && error.code === -32001,
      );
    }
    for (const method of [
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
      'eth_getRawTransactionByHash',
      'eth_getBlockByHash',
      'eth_getBlockTransactionCountByHash',
      'trace_transaction',
    ]) {
      assert.equal(await ask(method, LATER), null, method);
      assert.notEqual(await ask(method, OLD), null, method);
    }
  });

  it('ends ranges of logs at the fork point', async () => {
    assert.deepEqual(
      await asked('eth_getLogs', { fromBlock: '0x1', toBlock: '0xff', address: '0x1' }),
      [{ fromBlock: '0x1', toBlock: '0xa', address: '0x1' }],
    );
    assert.deepEqual(await asked('eth_getLogs', {}), [{ fromBlock: '0xa', toBlock: '0xa' }]);
    assert.deepEqual(await ask('eth_getLogs', { fromBlock: '0xb', toBlock: '0xff' }), []);
    assert.deepEqual(await ask('eth_getLogs', { blockHash: LATER }), []);
    assert.deepEqual(await asked('eth_getLogs', { blockHash: OLD }), [{ blockHash: OLD }]);
  });

  it('offers neither writes nor unknown methods', async () => {
    for (const method of [
      'eth_sendRawTransaction',
      'anvil_setBalance',
      'debug_traceTransaction',
      'toString',
    ]) {
      await assert.rejects(
        ask(method),
        (error: unknown) => error instanceof RpcError && error.code === -32601,
        method,
      );
    }
  });

  it('shows the whole chain without a fork point', async () => {
    view = new ChainView({ chainId: 10, upstream });
    assert.deepEqual(await asked('eth_getBalance', '0x1', '0xff'), ['0x1', '0xff']);
    assert.deepEqual(await asked('eth_getBalance', '0x1', 'latest'), ['0x1', 'latest']);
    assert.notEqual(await ask('eth_getTransactionByHash', LATER), null);
  });

  it('requests accounts in advance, once each, and answers their first read', async () => {
    view.preload(['0x1', '0x2', '0x1']);
    assert.deepEqual(
      upstream.calls.map(({ method, params }) => [method, ...params].join(' ')),
      ['0x1', '0x2'].flatMap((address) =>
        ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map(
          (method) => `${method} ${address} 0xa`,
        ),
      ),
    );
    const params = ['0x1', '0xa'];
    assert.deepEqual(await ask('eth_getCode', '0x1', 'latest'), { method: 'eth_getCode', params });
    assert.deepEqual(await ask('eth_getAccountInfo', '0x2', '0xa'), {
      balance: { method: 'eth_getBalance', params: ['0x2', '0xa'] },
      nonce: { method: 'eth_getTransactionCount', params: ['0x2', '0xa'] },
      code: { method: 'eth_getCode', params: ['0x2', '0xa'] },
    });
    assert.equal(upstream.calls.length, 6);
    // Older state, and reads that were answered once, are requested from the chain.
    assert.deepEqual(await asked('eth_getBalance', '0x1', '0x5'), ['0x1', '0x5']);
    assert.deepEqual(await asked('eth_getCode', '0x1', '0xa'), params);
    assert.equal(upstream.calls.length, 8);
  });

  it('requests its newest block in advance, and answers the first read of it', async () => {
    view.preloadBlock({ forRevert: false });
    assert.equal(upstream.calls.length, 1);
    const params = ['0xa', false];
    assert.deepEqual(await asked('eth_getBlockByNumber', 'latest', false), params);
    assert.equal(upstream.calls.length, 1);
    assert.deepEqual(await asked('eth_getBlockByNumber', '0xa', false), params);
    assert.equal(upstream.calls.length, 2);
  });

  it('requests the fee recipient of its newest block in advance, and for a revert the block by its hash', async () => {
    const block = { number: '0xa', hash: '0xb10c', miner: '0x3' };
    const answer = upstream.request.bind(upstream);
    upstream.request = async (method, params) =>
      Object.assign((await answer(method, params)) as object, block);
    view.preloadBlock({ forRevert: true });
    await new Promise(setImmediate);
    assert.deepEqual(upstream.calls, [
      { method: 'eth_getBlockByNumber', params: ['0xa', false] },
      { method: 'eth_getBalance', params: ['0x3', '0xa'] },
      { method: 'eth_getTransactionCount', params: ['0x3', '0xa'] },
      { method: 'eth_getCode', params: ['0x3', '0xa'] },
      { method: 'eth_getBlockByHash', params: ['0xb10c', true] },
    ]);
  });

  it('requests an account again if the request in advance failed', async () => {
    const answer = upstream.request.bind(upstream);
    upstream.request = () => Promise.reject(new RpcError(-32000, 'busy'));
    view.preload(['0x1']);
    await new Promise(setImmediate);
    upstream.request = answer;
    assert.deepEqual(await asked('eth_getBalance', '0x1', 'latest'), ['0x1', '0xa']);
  });
});
