import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FoundTransaction } from '../../server/api/lookup';
import type { Hash } from '../../server/api/primitives';
import type { CommandContext } from '../model/command-context';
import { withProgress } from '../ui/progress';
import { pick, type PickItem } from '../ui/quick-input';
import { grouped, shortHex } from '../../server/client/format';
import { LastNetwork, networkItems } from './network-picks';

/**
 * Opens the inspector on a transaction. Without a chain, running forks and all chains are searched; the user decides if several
 * contain the transaction or none does.
 * @param chain slug of a chain or id of a fork
 * @param node of the invocation flow, which is selected
 * @throws UserCancelledError, ApiError
 */
export async function openTransaction(
  { client, inspector, memento }: Pick<CommandContext, 'client' | 'inspector' | 'memento'>,
  transaction: Hash,
  { chain, node }: { chain?: string | undefined; node?: number | undefined } = {},
): Promise<void> {
  const last = new LastNetwork(memento);
  const place = chain ?? (await locate());
  await last.set(place);
  const selected = node === undefined ? {} : { node };
  await inspector.open({ chain: place, transaction, ...selected });

  async function locate(): Promise<string> {
    const params = { transaction };
    const { places, unanswered } = await withProgress(
      l10n.t('Looking for transaction {0}…', shortHex(transaction)),
      (signal) => client.call('findTransaction', { params }, { signal }),
    );
    const [first, ...others] = places;
    if (first !== undefined && others.length === 0) return first.chain;
    const { value } = await pick({
      title: l10n.t('Analyze {0}', shortHex(transaction)),
      placeholder:
        first === undefined ? notFound(unanswered) : l10n.t('Several have this transaction'),
      items: first === undefined ? networkItems(client) : Promise.resolve(places.map(foundItem)),
      isActive: (value) => value === last.get(),
    });
    return value;
  }
}

const notFound = (unanswered: readonly string[]): string =>
  unanswered.length === 0
    ? l10n.t('Found on no running fork and no chain. Analyze it on')
    : l10n.t('Not found yet; no answer of {0}. Analyze it on', unanswered.join(', '));

function foundItem({ kind, chain, name, blockNumber }: FoundTransaction): PickItem<string> {
  const block =
    blockNumber === null ? l10n.t('pending') : l10n.t('block {0}', grouped(blockNumber));
  return {
    label: name,
    description: `${kind === 'fork' ? l10n.t('fork') : chain} · ${block}`,
    iconPath: new vscode.ThemeIcon(kind === 'fork' ? 'repo-forked' : 'link'),
    value: chain,
  };
}
