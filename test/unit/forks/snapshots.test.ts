import assert from 'node:assert/strict';
import { Snapshots } from '../../../server/forks/snapshots';

const block = { gasLimit: '0x1', miner: '0x0' };
const clock = { last: 0, ahead: 0, exact: undefined, interval: undefined };
const fork = { automine: true, clock, impersonated: [] };

describe('Snapshots', () => {
  it('forgets the newer ones with an older one', () => {
    const snapshots = new Snapshots();
    for (const [i, id] of ['default', '0x0', '0x1', '0x2'].entries()) {
      snapshots.add({ id, nativeId: `native ${i}`, block, fork });
    }
    const second = snapshots.find('0x1');
    assert.equal(second?.nativeId, 'native 2');
    snapshots.dropFrom(second);
    assert.deepEqual(
      ['default', '0x0', '0x1', '0x2'].map((id) => snapshots.find(id)?.nativeId),
      ['native 0', 'native 1', undefined, undefined],
    );
  });
});
