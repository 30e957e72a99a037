import assert from 'node:assert/strict';
import {
  answerLocation,
  heightIn,
  sealedLocation,
} from '../../../../server/chains/upstream/response-location';

const HASH = `0x${'Ab'.repeat(32)}`;
const ALICE = '0xAAAAaaaaAAAAaaaaAAAAaaaaAAAAaaaaAAAAaaaa';
const place = (method: string, ...params: unknown[]) => answerLocation({ method, params });

describe('the place of a kept answer', () => {
  it('is shared by calls about the same block', () => {
    for (const call of [
      place('eth_getBalance', ALICE, '0x10'),
      place('eth_getStorageAt', ALICE, '0x1', { blockNumber: '0x10' }),
      place('eth_call', { to: ALICE, data: '0x' }, '0x10'),
      place('eth_getBlockByNumber', '0x10', true),
      place('eth_getLogs', { fromBlock: '0x1', toBlock: '0x10' }),
    ]) {
      assert.deepEqual([call?.shard, call?.height], ['16', 16n]);
    }
  });

  it('is a hash for lookups by hash, and the answer contains the block', () => {
    for (const method of ['eth_getTransactionByHash', 'eth_getBlockByHash']) {
      const { shard, height } = place(method, HASH) ?? {};
      assert.deepEqual([shard, height], ['hash-ab', undefined]);
    }
    assert.equal(heightIn({ blockNumber: '0x5' }), 5n);
    assert.equal(heightIn({ number: '0x5' }), 5n);
    for (const pending of [{ blockNumber: null }, null, '0x5', []]) {
      assert.equal(heightIn(pending), undefined);
    }
    assert.equal(place('eth_getBalance', ALICE, { blockHash: HASH })?.height, 0n);
    assert.equal(place('eth_getLogs', { blockHash: HASH })?.shard, 'hash-ab');
  });

  it('is undefined if the answer depends on the head', () => {
    for (const call of [
      place('eth_blockNumber'),
      place('eth_gasPrice'),
      place('eth_getBalance', ALICE, 'latest'),
      place('eth_getBalance', ALICE, 'safe'),
      place('eth_call', {}),
      place('eth_getBlockByNumber', 'finalized', false),
      place('eth_getLogs', { fromBlock: '0x1' }),
      place('eth_getLogs', { fromBlock: '0x1', toBlock: 'latest' }),
      place('eth_getTransactionByHash', '0x12'),
      place('eth_sendRawTransaction', '0x12'),
      place('toString', '0x12'),
    ]) {
      assert.equal(call, undefined);
    }
  });

  it('is the same for equivalent calls only', () => {
    const key = (...params: unknown[]) => place('eth_call', ...params)?.key;
    const call = key({ to: ALICE, data: '0xAB' }, '0x10');
    assert.equal(key({ data: '0xab', to: ALICE.toLowerCase() }, '0x10'), call);
    assert.notEqual(key({ to: ALICE, data: '0xabab' }, '0x10'), call);
    assert.notEqual(key({ to: ALICE, data: '0xab' }, '0x11'), call);
    assert.notEqual(key({ to: ALICE, data: '0xab' }, '0x10', {}), call);
    assert.notEqual(
      place('eth_getBalance', ALICE, '0x10')?.key,
      place('eth_getCode', ALICE, '0x10')?.key,
    );
  });
});

describe('sealedLocation', () => {
  const HASH_OF_BLOCK = `0x${'ab'.repeat(32)}`;
  const shardOf = (method: string, ...params: unknown[]): string | undefined =>
    sealedLocation({ method, params })?.shard;

  it('is that of an answer that the hash of its block covers', () => {
    const at = { blockHash: HASH_OF_BLOCK };
    assert.equal(shardOf('eth_getBalance', '0x01', at), 'hash-ab');
    assert.equal(shardOf('eth_getStorageAt', '0x01', '0x0', at), 'hash-ab');
    assert.equal(shardOf('eth_getBlockReceipts', at), 'hash-ab');
    assert.equal(shardOf('eth_getBlockByHash', HASH_OF_BLOCK, true), 'hash-blocks');
  });

  it('is unknown for answers that depend on which blocks are in the chain', () => {
    assert.equal(shardOf('eth_getBalance', '0x01', '0x3'), undefined);
    assert.equal(shardOf('eth_getBlockByNumber', '0x3', false), undefined);
    assert.equal(shardOf('eth_getTransactionByHash', HASH_OF_BLOCK), undefined);
    assert.equal(shardOf('eth_getTransactionReceipt', HASH_OF_BLOCK), undefined);
    assert.equal(shardOf('eth_chainId'), undefined);
  });
});
