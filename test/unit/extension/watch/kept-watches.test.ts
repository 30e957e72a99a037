import assert from 'node:assert/strict';
import { KeptWatches } from '../../../../extension/watch/kept-watches';
import { addressWatch, ALICE, BOB, hash, memory } from './support';

const numbered = (index: number): `0x${string}` => `0x${index.toString(16).padStart(40, '0')}`;

describe('kept watches', () => {
  it('are there after a reload of the window, for their service only', () => {
    const store = memory();
    const kept = new KeptWatches(store, () => 'local');
    const event = addressWatch(BOB, {
      watched: { kind: 'event', topic: hash(7) as `0x${string}`, address: BOB },
    });
    assert.equal(kept.add(addressWatch()), 'added');
    assert.equal(kept.add(event), 'added');
    kept.mark('eth', { number: 5, hash: hash(5) });
    const reloaded = new KeptWatches(store, () => 'local');
    assert.deepEqual(reloaded.list(), [addressWatch(), event]);
    assert.deepEqual(reloaded.marked('eth'), { number: 5, hash: hash(5) });
    const other = new KeptWatches(store, () => 'remote');
    assert.deepEqual([other.list(), other.marked('eth')], [[], undefined]);
  });

  it('forget the block of a chain with its last watch', () => {
    const kept = new KeptWatches(memory(), () => 'local');
    kept.add(addressWatch());
    kept.add(addressWatch(BOB));
    kept.mark('eth', { number: 5, hash: hash(5) });
    kept.remove(addressWatch());
    assert.equal(kept.marked('eth')?.number, 5);
    kept.remove(addressWatch(BOB));
    assert.equal(kept.marked('eth'), undefined);
    assert.deepEqual(kept.list(), []);
  });

  it('are bounded, and each is kept once', () => {
    const kept = new KeptWatches(memory(), () => 'local');
    const outcomes = Array.from({ length: 51 }, (_, index) =>
      kept.add(addressWatch(numbered(index))),
    );
    assert.deepEqual([outcomes[49], outcomes[50]], ['added', 'full']);
    assert.equal(kept.add(addressWatch(numbered(3))), 'known');
    const others = Array.from({ length: 51 }, (_, index) =>
      kept.add(addressWatch(ALICE, { chain: `chain-${index}` })),
    );
    assert.deepEqual([others[49], others[50]], ['added', 'full']);
  });

  it('leave out what another version wrote', () => {
    const store = memory();
    const wrong = [
      null,
      'x',
      { service: 'local' },
      { service: 'local', watch: { chain: 'eth' } },
      { service: 'local', watch: addressWatch('0x12') },
      { service: 'local', watch: { ...addressWatch(), name: 'n'.repeat(201) } },
    ];
    void store.update('forklens.watches', [...wrong, { service: 'local', watch: addressWatch() }]);
    void store.update('forklens.watchedBlocks', { 'local eth': { number: -1, hash: 'x' } });
    const kept = new KeptWatches(store, () => 'local');
    assert.deepEqual(kept.list(), [addressWatch()]);
    assert.equal(kept.marked('eth'), undefined);
    void store.update('forklens.watches', 'nothing');
    assert.deepEqual(kept.list(), []);
  });
});
