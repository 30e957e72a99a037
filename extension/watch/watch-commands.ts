import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { WatchableItem, WatchItem } from '../model/commands';
import { askAddressWatch, askEventWatch } from './ask-watch';
import { chooseWatch } from './show-news';
import { targetOf } from './watch-target';
import type { Watcher } from './watcher';
import type { WatchContext } from './watching';

/** Asks for an address or event, and watches it. @throws UserCancelledError, ApiError */
export async function addWatch(
  kind: 'address' | 'event',
  context: WatchContext,
  watcher: Watcher,
  item: WatchableItem | undefined,
): Promise<void> {
  const ask = kind === 'address' ? askAddressWatch : askEventWatch;
  const watch = await ask(context, await targetOf(item));
  const { name, place } = watch;
  const texts = {
    added: l10n.t('{0} on {1} is watched: see the Chains view.', name, place),
    known: l10n.t('{0} on {1} is watched already.', name, place),
    full: l10n.t('{0} on {1} is not watched: stop another watch first.', name, place),
  };
  void vscode.window.showInformationMessage(texts[watcher.add(watch)]);
}

/** @throws UserCancelledError */
export async function stopWatching(watcher: Watcher, item: WatchItem | undefined): Promise<void> {
  const watches = watcher.list().map(({ watch }) => watch);
  if (watches.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('Nothing is watched in this workspace.'));
    return;
  }
  watcher.remove(item?.node.view.watch ?? (await chooseWatch(watches)));
}
