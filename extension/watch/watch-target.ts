import * as l10n from '@vscode/l10n';
import { shortHex } from '../../server/client/format';
import type { WatchableItem } from '../model/commands';
import { pick } from '../ui/quick-input';
import type { WatchTarget } from './ask-watch';

/** What a node of a view, or a link, says about the wanted watch. @throws UserCancelledError */
export async function targetOf(item: WatchableItem | undefined): Promise<WatchTarget> {
  if (item === undefined) return {};
  if ('address' in item) return item;
  if ('node' in item) {
    const { node } = item;
    if (node.kind === 'chain') return { chain: node.chain.slug };
    if (node.kind !== 'blockTransaction') return {};
    const { from, to, created } = node.transaction;
    const parties = [
      [l10n.t('sender'), from] as const,
      [l10n.t('receiver'), to] as const,
      [l10n.t('new contract'), created] as const,
    ];
    const { value } = await pick({
      title: l10n.t('Watch Address'),
      placeholder: l10n.t('Address to watch'),
      items: Promise.resolve(
        parties.flatMap(([role, address]) => {
          if (address === null) return [];
          const name = node.page.labels[address];
          const label = name ?? shortHex(address);
          return [{ label, description: role, detail: address, value: { address, name } }];
        }),
      ),
    });
    return { chain: node.chain, ...value };
  }
  if (item.kind === 'fork') return { chain: item.fork.forkId };
  const { address, name } = item.contract;
  return { chain: item.parent.parent.fork.forkId, address, name };
}
