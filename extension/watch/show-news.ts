import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortHex } from '../../server/client/format';
import type { CommandId } from '../model/commands';
import type { Watch, WatchMatch } from '../model/watch';
import { transactionDetail, transactionTitle } from '../transactions/transaction-text';
import { pick } from '../ui/quick-input';
import { newsText, type WatchNews } from './watch-news';

/** Shows a notification, and does what the user answers. */
export async function showNews(news: WatchNews, stop: (watch: Watch) => void): Promise<void> {
  const { chain, watches, matches } = news;
  const analyze = matches.length > 1 ? l10n.t('Analyze…') : l10n.t('Analyze');
  const stopWatching = watches.length > 1 ? l10n.t('Stop Watching…') : l10n.t('Stop Watching');
  const actions = matches.length === 0 ? [] : [analyze, stopWatching];
  const chosen = await vscode.window.showInformationMessage(newsText(news), ...actions);
  if (chosen === analyze) {
    const { transaction } = await chooseMatch(matches);
    const target = { chain, transaction: transaction.hash };
    await vscode.commands.executeCommand('forklens.openTransaction' satisfies CommandId, target);
  } else if (chosen === stopWatching) {
    stop(await chooseWatch(watches));
  }
}

const chooseMatch = (matches: readonly WatchMatch[]): Promise<WatchMatch> =>
  theOnlyOr(matches, l10n.t('Analyze Transaction'), l10n.t('Transaction'), (match) => ({
    label: transactionTitle(match.transaction),
    description: transactionDetail(match.transaction, match.page),
    detail: shortHex(match.transaction.hash),
  }));

/** @throws UserCancelledError */
export const chooseWatch = (watches: readonly Watch[]): Promise<Watch> =>
  theOnlyOr(
    watches,
    l10n.t('Stop Watching'),
    l10n.t('Address or event'),
    ({ name, place, watched: { address = '', ...watched } }) => ({
      label: name,
      description: place,
      detail: watched.kind === 'event' ? `${watched.topic} ${address}`.trim() : address,
    }),
  );

/** The only one, or the one that the user picks. @throws UserCancelledError */
async function theOnlyOr<T>(
  all: readonly T[],
  title: string,
  placeholder: string,
  itemOf: (one: T) => { label: string; description: string; detail: string },
): Promise<T> {
  const [first] = all;
  if (first !== undefined && all.length === 1) return first;
  const items = Promise.resolve(all.map((value) => ({ ...itemOf(value), value })));
  return (await pick({ title, placeholder, items })).value;
}
