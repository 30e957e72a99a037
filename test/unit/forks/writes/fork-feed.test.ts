import assert from 'node:assert/strict';
import { LIMITS } from '../../../../server/api/limits';
import { ForkFeed, type Follower } from '../../../../server/forks/writes/fork-feed';

describe('ForkFeed', () => {
  let feed: ForkFeed;
  let news: string[];
  beforeEach(() => {
    feed = new ForkFeed();
    news = [];
  });
  const follower = (name: string, facts: Partial<Follower> = {}): Follower => ({
    position: 5,
    sent: undefined,
    bytes: 10,
    onNews: () => news.push(name),
    ...facts,
  });

  it('distinguishes followers of blocks and of transactions', () => {
    feed.follow(follower('blocks'));
    feed.follow(follower('transactions', { sent: 0 }));
    feed.follow({ position: 0, sent: undefined, bytes: 0 });
    feed.follow({ position: 0, sent: 0, bytes: 0 });
    feed.sent(['0x1']);
    assert.deepEqual(news, ['transactions']);
    feed.mined();
    assert.deepEqual(news, ['transactions', 'blocks']);
  });

  it('remembers the newest transactions', () => {
    feed.sent(['a', 'b']);
    feed.sent(['c']);
    assert.equal(feed.sentCount, 3);
    assert.deepEqual(feed.sentSince(0), ['a', 'b', 'c']);
    assert.deepEqual(feed.sentSince(2), ['c']);
    assert.deepEqual(feed.sentSince(3), []);
    const many = Array.from({ length: 9_999 }, (_, index) => String(index));
    feed.sent(many);
    assert.deepEqual(feed.sentSince(0), ['c', ...many]);
    feed.sent(many);
    assert.equal(feed.sentCount, 20_001);
    assert.deepEqual(feed.sentSince(0), ['9998', ...many]);
    assert.deepEqual(feed.sentSince(20_000), ['9998']);
  });

  it('gives positions that another process continues', () => {
    feed.sent(['a', 'b', 'c']);
    const blocks = follower('blocks', { position: 7 });
    const [first, second] = [follower('1', { sent: 0 }), follower('2', { sent: 2 })];
    const states = [blocks, first, second].map((one) => feed.stateOf(one));
    assert.deepEqual(states, [
      { position: 7 },
      { position: 5, lastSent: null },
      { position: 5, lastSent: 'b' },
    ]);
    const next = new ForkFeed();
    next.restored(['a', 'b', 'c', 'd']);
    assert.deepEqual(
      states.map((state) => next.positionOf(state, 6)),
      [
        { position: 6, sent: undefined },
        { position: 5, sent: 0 },
        { position: 5, sent: 2 },
      ],
    );
    assert.deepEqual(next.sentSince(2), ['c', 'd']);
    // A transaction that was reverted, and what came before the takeover with it.
    assert.deepEqual(next.positionOf({ position: 5, lastSent: 'x' }, 6), { position: 5, sent: 4 });
    next.restored(['a']);
    assert.equal(next.sentCount, 4, 'it knows its transactions already');
  });

  it('has a rewind wait for its listeners', async () => {
    const heads: number[] = [];
    const stop = feed.onRewind(async (head) => {
      await Promise.resolve();
      heads.push(head);
    });
    await feed.rewound(4);
    assert.deepEqual(heads, [4]);
    stop();
    await feed.rewound(3);
    assert.deepEqual(heads, [4]);
  });

  it('sets followers back after a revert, and never forward', async () => {
    const [ahead, late] = [follower('a', { position: 7 }), follower('b', { position: 2 })];
    feed.follow(ahead);
    feed.follow(late);
    await feed.rewound(4);
    assert.deepEqual([ahead.position, late.position], [4, 2]);
  });

  it('has a limit of followers', () => {
    const all = Array.from({ length: LIMITS.followers }, () => follower('', { bytes: 0 }));
    for (const one of all) feed.follow(one);
    const refusal = {
      code: -32005,
      message: `the fork has ${LIMITS.followers} subscriptions and filters, which is the limit; remove some first`,
    };
    assert.throws(() => {
      feed.follow(follower('', { bytes: 0 }));
    }, refusal);
    feed.unfollow(all[0]!);
    feed.follow(follower('', { bytes: 0 }));
  });

  it('has a limit of bytes, which unknown followers do not free', () => {
    const half = follower('', { bytes: LIMITS.followerBytes / 2 });
    feed.follow(half);
    feed.follow({ ...half });
    const one = follower('', { bytes: 1 });
    const refusal = {
      code: -32005,
      message: `the subscriptions and filters of the fork would have more than ${LIMITS.followerBytes} bytes; remove some first, or name fewer addresses and topics`,
    };
    const follow = (): void => {
      feed.follow(one);
    };
    assert.throws(follow, refusal);
    feed.unfollow({ ...half });
    assert.throws(follow, refusal);
    feed.unfollow(half);
    follow();
    feed.unfollow(half);
    assert.throws(() => {
      feed.follow(follower('', { bytes: LIMITS.followerBytes / 2 }));
    }, refusal);
  });
});
