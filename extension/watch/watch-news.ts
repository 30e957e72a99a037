import * as l10n from '@vscode/l10n';
import { counted } from '../../server/client/format';
import { watchKey, type Watch, type WatchMatch } from '../model/watch';
import { transactionTitle } from '../transactions/transaction-text';

/** What one request found on a chain or fork. */
export interface WatchNews {
  readonly chain: string;
  /** Name of the chain or fork. */
  readonly place: string;
  /** The watches that matched. */
  readonly watches: readonly Watch[];
  /** Newest first. */
  readonly matches: readonly WatchMatch[];
  /** Matching transactions beyond the listed ones. */
  readonly unlisted: number;
  /** Blocks that were not read. */
  readonly skipped: number;
}

/** Notifications that wait for an answer. */
const MAX_OPEN = 3;
/** Transactions that a notification leads to. */
const MAX_MATCHES = 50;

/** Shows news as notifications. While several wait for an answer, later news of a chain are collected into one. */
export class WatchNotifications {
  #open = 0;
  readonly #waiting = new Map<string, WatchNews>();

  /** @param show resolves when the user has answered a notification */
  constructor(private readonly show: (news: WatchNews) => Promise<void>) {}

  add(news: WatchNews): void {
    const waiting = this.#waiting.get(news.chain);
    this.#waiting.set(news.chain, waiting === undefined ? news : joined(waiting, news));
    this.#showNext();
  }

  #showNext(): void {
    const [next] = this.#waiting.values();
    if (next === undefined || this.#open >= MAX_OPEN) return;
    this.#waiting.delete(next.chain);
    this.#open++;
    void this.show(next).finally(() => {
      this.#open--;
      this.#showNext();
    });
  }
}

function joined(older: WatchNews, newer: WatchNews): WatchNews {
  const matches = [...newer.matches, ...older.matches];
  const watches = new Map([...older.watches, ...newer.watches].map((one) => [watchKey(one), one]));
  return {
    ...newer,
    watches: [...watches.values()],
    matches: matches.slice(0, MAX_MATCHES),
    unlisted: older.unlisted + newer.unlisted + Math.max(0, matches.length - MAX_MATCHES),
    skipped: older.skipped + newer.skipped,
  };
}

/** The text of a notification. */
export function newsText({ place, watches, matches, unlisted, skipped }: WatchNews): string {
  const count = matches.length + unlisted;
  const [newest] = matches;
  const missed =
    skipped === 0
      ? []
      : [l10n.t('Not read on {1}, to catch up: {0}.', counted(skipped, 'block'), place)];
  if (newest === undefined) return missed.join(' ');
  const title = transactionTitle(newest.transaction);
  const names = watches.map(({ name }) => name).join(', ');
  const found =
    count === 1
      ? l10n.t('{0} on {1}: {2}', names, place, title)
      : l10n.t(
          '{0} on {1}: {2}, the newest is {3}',
          names,
          place,
          counted(count, 'transaction'),
          title,
        );
  return [`${found}.`, ...missed].join(' ');
}
