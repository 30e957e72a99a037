import assert from 'node:assert/strict';
import {
  WatchNotifications,
  newsText,
  type WatchNews,
} from '../../../../extension/watch/watch-news';
import { watchDisplay } from '../../../../extension/chains/watch-display';
import { addressWatch, BOB, transaction } from './support';

const news = (more: Partial<WatchNews> = {}): WatchNews => ({
  chain: 'eth',
  place: 'Ethereum',
  watches: [addressWatch()],
  unlisted: 0,
  skipped: 0,
  matches: [{ transaction: transaction(1), page: { labels: {}, nativeSymbol: 'ETH' } }],
  ...more,
});

describe('notifications of watches', () => {
  it('say what matched in one sentence, however many there are', () => {
    assert.equal(newsText(news()), 'Alice on Ethereum: transfer.');
    assert.equal(
      newsText(news({ unlisted: 40, watches: [addressWatch(), addressWatch(BOB)] })),
      'Alice, other on Ethereum: 41 transactions, the newest is transfer.',
    );
    assert.equal(
      newsText(news({ skipped: 51 })),
      'Alice on Ethereum: transfer. Not read on Ethereum, to catch up: 51 blocks.',
    );
    assert.equal(
      newsText(news({ matches: [], skipped: 1 })),
      'Not read on Ethereum, to catch up: 1 block.',
    );
  });

  it('are three at a time; later ones of a chain are collected into one', async () => {
    const shown: WatchNews[] = [];
    const answers: (() => void)[] = [];
    const notifications = new WatchNotifications((one) => {
      shown.push(one);
      return new Promise((resolve) => answers.push(resolve));
    });
    for (let index = 0; index < 70; index++) {
      const watches = [addressWatch(index % 2 === 0 ? undefined : BOB)];
      notifications.add(news({ watches, skipped: index === 5 ? 9 : 0 }));
    }
    assert.equal(shown.length, 3);
    answers[0]!();
    await new Promise(setImmediate);
    assert.equal(shown.length, 4);
    const [, , , collected] = shown;
    assert.deepEqual(
      [collected?.matches.length, collected?.unlisted, collected?.skipped],
      [50, 17, 9],
    );
    assert.deepEqual(
      collected?.watches.map(({ name }) => name),
      ['other', 'Alice'],
    );
  });
});

describe('a watch in the view of chains', () => {
  const view = { watch: addressWatch(), matches: [], count: 0, skipped: 0 };
  const described = (
    more: Partial<Parameters<typeof watchDisplay>[0]>,
  ): [string | undefined, string] => {
    const { description, icon } = watchDisplay(
      { ...view, state: { kind: 'starting' }, ...more },
      0,
    );
    return [description, icon.id];
  };

  it('says its state, what it found, and what it missed', () => {
    assert.deepEqual(described({}), ['Ethereum · starting', 'eye-closed']);
    assert.deepEqual(described({ state: { kind: 'watching', head: 1234 }, count: 2, skipped: 7 }), [
      ...(['Ethereum · 2 transactions · up to block 1,234 · 7 blocks not read', 'eye'] as const),
    ]);
    assert.deepEqual(described({ state: { kind: 'sleeping' } }), [
      ...(['Ethereum · paused: the fork does not run', 'eye-closed'] as const),
    ]);
    assert.deepEqual(described({ state: { kind: 'unreachable', message: 'm', next: 60_000 } }), [
      ...(['Ethereum · no answer, asked again at 1970-01-01 00:01:00 UTC', 'warning'] as const),
    ]);
    assert.deepEqual(described({ state: { kind: 'gone', message: 'm' } }), [
      ...(['Ethereum · no longer exists', 'error'] as const),
    ]);
  });
});
