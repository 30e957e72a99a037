import { isCancellation } from '../model/errors';
import { KeptWatches } from './kept-watches';
import { showNews } from './show-news';
import type { WatchContext } from './watching';
import { WatchNotifications } from './watch-news';
import { Watcher } from './watcher';

/** Follows what this workspace watches, and notifies of it. */
export function startWatcher({ client, service, memento, log }: WatchContext): Watcher {
  const notifications = new WatchNotifications((news) =>
    showNews(news, (watch) => {
      watcher.remove(watch);
    }).catch((error: unknown) => {
      if (!isCancellation(error)) log.error(`watches: ${String(error)}`);
    }),
  );
  const watcher = new Watcher({
    client,
    log,
    now: Date.now,
    kept: new KeptWatches(memento, () => service.id),
    isServed: () => service.state.kind === 'running',
    onNews: (news) => {
      notifications.add(news);
    },
    startTimer: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  });
  void watcher.askAll();
  return watcher;
}
