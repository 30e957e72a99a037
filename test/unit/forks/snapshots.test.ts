import assert from 'node:assert/strict';
import { Snapshots } from '../../../server/forks/snapshots';

const settings = { gasLimit: '0x1', miner: '0x0' };

describe('Snapshots', () => {
  it('gives each id once, and forgets the newer ones with an older one', () => {
    const snapshots = new Snapshots();
    snapshots.add({ id: 'default', nativeId: '0x0', settings });
    for (const nativeId of ['0x1', '0x2', '0x3']) {
      snapshots.add({ id: snapshots.nextId(), nativeId, settings });
    }
    const second = snapshots.find('0x1');
    assert.equal(second?.nativeId, '0x2');
    snapshots.dropFrom(second);
    assert.deepEqual(
      ['default', '0x0', '0x1', '0x2'].map((id) => snapshots.find(id)?.nativeId),
      ['0x0', '0x1', undefined, undefined],
    );
    assert.equal(snapshots.nextId(), '0x3');
  });
});
