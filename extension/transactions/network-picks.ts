import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import { forkItem, listAllForks } from '../ui/pickers';
import { pick, type PickItem } from '../ui/quick-input';

type Separator = vscode.QuickPickItem & { value?: never };

const LAST_NETWORK = 'forklens.lastAnalyzedChain';

/** The slug or id of the last chosen chain or fork of this workspace. */
export class LastNetwork {
  constructor(private readonly memento: vscode.Memento) {}

  get(): string | undefined {
    return this.memento.get<string>(LAST_NETWORK);
  }

  async set(chain: string): Promise<void> {
    await this.memento.update(LAST_NETWORK, chain);
  }
}

/** Pick items of all forks, then all chains; values are slugs and ids. */
export async function networkItems(client: ApiClient): Promise<(PickItem<string> | Separator)[]> {
  const [chains, forks] = await Promise.all([
    client.call('listChains', {}),
    // A key may lack the scope to list forks and still allow analysis.
    listAllForks(client).catch(() => []),
  ]);
  return [
    ...(forks.length === 0 ? [] : [separator(l10n.t('Forks'))]),
    ...forks.map((choice) => ({ ...forkItem(choice), value: choice.fork.forkId })),
    ...(forks.length === 0 ? [] : [separator(l10n.t('Chains'))]),
    ...chains.map(({ slug, name, chainId }) => ({
      label: slug,
      description: l10n.t('{0} · chain id {1}', name, chainId),
      iconPath: new vscode.ThemeIcon('link'),
      value: slug,
    })),
  ];
}

const separator = (label: string): Separator => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
});

/** Asks for a chain or fork; the last chosen one is offered first. */
export async function askNetwork(
  { client, memento }: Pick<CommandContext, 'client' | 'memento'>,
  title: string,
): Promise<string> {
  const last = new LastNetwork(memento);
  const { value } = await pick({
    title,
    placeholder: l10n.t('Chain or fork'),
    items: networkItems(client),
    isActive: (chain) => chain === last.get(),
  });
  await last.set(value);
  return value;
}
