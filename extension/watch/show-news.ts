import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortHex } from '../../server/client/format';
import type { CommandId } from '../model/commands';
import { watchKey, type Watch, type WatchMatch } from '../model/watch';
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

/** The only match, or the one that the user picks. @throws UserCancelledError */
async function chooseMatch(matches: readonly WatchMatch[]): Promise<WatchMatch> {
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  const { value } = await pick({
    title: l10n.t('Analyze Transaction'),
    placeholder: l10n.t('Transaction'),
    items: Promise.resolve(
      matches.map((match) => ({
        label: transactionTitle(match.transaction),
        description: transactionDetail(match.transaction, match.page),
        detail: shortHex(match.transaction.hash),
        value: match,
      })),
    ),
  });
  return value;
}

/** The only watch, or the one that the user picks. @throws UserCancelledError */
export async function chooseWatch(watches: readonly Watch[]): Promise<Watch> {
  const [first] = watches;
  if (first !== undefined && watches.length === 1) return first;
  const { value } = await pick({
    title: l10n.t('Stop Watching'),
    placeholder: l10n.t('Address or event'),
    items: Promise.resolve(
      watches.map((watch) => ({
        label: watch.name,
        description: watch.place,
        detail: watchKey(watch).split(' ').slice(2).join(' ').trim(),
        value: watch,
      })),
    ),
  });
  return value;
}
