import assert from 'node:assert/strict';
import { CachedReads } from '../../../../server/chains/engine/cached-reads';

const A = `0x${'aa'.repeat(20)}`;
const BALANCE = { method: 'eth_getBalance', params: [A, 'latest'] };

describe('kept reads of the newest state', () => {
  let kept: CachedReads;
  beforeEach(() => {
    kept = new CachedReads();
  });

  it('are returned until a change waits for its turn', () => {
    assert.equal(kept.get(BALANCE), undefined);
    kept.recorder(BALANCE)?.('0x1');
    assert.equal(kept.get(BALANCE), '0x1');
    assert.equal(kept.get({ ...BALANCE, params: [A, 'pending'] }), undefined);
    const done = kept.change();
    assert.equal(kept.get(BALANCE), undefined);
    assert.equal(kept.recorder(BALANCE), undefined);
    done();
    assert.equal(kept.get(BALANCE), undefined);
    kept.recorder(BALANCE)?.('0x2');
    assert.equal(kept.get(BALANCE), '0x2');
  });

  it('exclude results requested before a change and answered after it', () => {
    const early = kept.recorder(BALANCE);
    const done = kept.change();
    early?.('0x1');
    done();
    early?.('0x1');
    assert.equal(kept.get(BALANCE), undefined);
  });

  it('exclude other blocks, other methods, errors and long answers', () => {
    for (const call of [
      { method: 'eth_getBalance', params: [A, '0x1'] },
      { method: 'eth_getBalance', params: [A] },
      { method: 'eth_call', params: [{ to: A }, 'pending'] },
      { method: 'eth_estimateGas', params: [{ to: A }, 'latest'] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_call', params: [{ to: A, data: '0x'.padEnd(70_000, '0') }, 'latest'] },
    ]) {
      assert.equal(kept.recorder(call), undefined, call.method);
    }
    kept.recorder(BALANCE)?.(undefined);
    assert.equal(kept.get(BALANCE), undefined);
    kept.recorder(BALANCE)?.('0x'.padEnd(70_000, '0'));
    assert.equal(kept.get(BALANCE), undefined);
  });

  it('are limited in bytes, and the oldest are evicted first', () => {
    const call = (i: number) => ({ method: 'eth_getStorageAt', params: [A, `0x${i}`, 'latest'] });
    for (let i = 0; i < 100; i++) kept.recorder(call(i))?.('0x'.padEnd(60_000, '0'));
    assert.equal(kept.get(call(0)), undefined);
    assert.equal([...Array(100).keys()].filter((i) => kept.get(call(i))).length, 34);
  });
});
