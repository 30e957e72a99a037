import assert from 'node:assert/strict';
import {
  ForkFilters,
  type FilterRecord,
  type FilterRecords,
} from '../../../../server/forks/reads/fork-filters';
import { ForkFeed } from '../../../../server/forks/writes/fork-feed';

describe('filters that nodes share', () => {
  let feed: ForkFeed;
  let written: FilterRecord[];
  let failure: Error | undefined;
  let filters: ForkFilters;
  const done = (): Promise<void> => (failure ? Promise.reject(failure) : Promise.resolve());
  const records: FilterRecords = {
    all: () => Promise.resolve([{ id: '0x1', topic: { of: 'blocks' }, state: { position: 9 } }]),
    put: async (record) => {
      await done();
      written.push(record);
    },
    remove: done,
    rewind: done,
  };
  beforeEach(async () => {
    feed = new ForkFeed();
    [written, failure] = [[], undefined];
    filters = new ForkFilters(feed, records);
    await filters.load(7);
  });
  const advance = (position: number) =>
    filters.advance('0x1', ({ follower }) => {
      follower.position = position;
      return Promise.resolve('news');
    });

  it('continue at their position, or at the newest block', () => {
    assert.equal(filters.find('0x1').follower.position, 7);
  });

  it('write a position before its news is answered, and only if it changed', async () => {
    assert.equal(await advance(8), 'news');
    assert.deepEqual(written, [{ id: '0x1', topic: { of: 'blocks' }, state: { position: 8 } }]);
    await advance(8);
    assert.equal(written.length, 1);
  });

  it('keep their position if it cannot be written', async () => {
    failure = new Error('no database');
    await assert.rejects(advance(8), failure);
    assert.equal(filters.find('0x1').follower.position, 7);
  });

  it('do not make a revert fail that is in the journal', async () => {
    failure = new Error('no database');
    await feed.rewound(5);
    assert.equal(filters.find('0x1').follower.position, 5);
  });
});
