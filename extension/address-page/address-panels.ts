import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { addressSchema, type Address } from '../../server/api/primitives';
import { shortHex } from '../../server/client/format';
import type { CommandContext } from '../model/command-context';
import type { CommandId, Commands } from '../model/commands';
import type { RecentEntry } from '../model/recent';
import { askNetwork } from '../transactions/network-picks';
import type { AddressPage } from './address-bundle';

/** Commands that links of the page run. */
const LINKED: readonly CommandId[] = [
  ...(['forklens.showAddress', 'forklens.loadMoreOfAddress', 'forklens.openTransaction'] as const),
  ...(['forklens.nameAddress', 'forklens.copyLiteral', 'forklens.watchAddress'] as const),
  'forklens.whenDidThisChange',
];

interface Shown {
  readonly page: AddressPage;
  readonly panel: vscode.WebviewPanel;
}

/** The pages of addresses: one for each address and chain. What they show is in a bundle of its own. */
export class AddressPanels implements vscode.Disposable {
  readonly #shown = new Map<string, Shown>();

  constructor(
    private readonly context: Pick<CommandContext, 'client' | 'memento'>,
    private readonly extensionUri: vscode.Uri,
    private readonly recent: () => readonly RecentEntry[],
  ) {}

  commands(): Pick<Commands, 'forklens.showAddress' | 'forklens.loadMoreOfAddress'> {
    return {
      'forklens.showAddress': async ({ address: given, chain }) => {
        const address = addressSchema.parse(given);
        await this.#open(
          chain ?? (await askNetwork(this.context, l10n.t('Show {0}', shortHex(address)))),
          address,
        );
      },
      'forklens.loadMoreOfAddress': async ({ chain, address }) => {
        await this.#shown.get(keyOf(chain, address))?.page.loadMore();
      },
    };
  }

  dispose(): void {
    for (const { panel } of this.#shown.values()) panel.dispose();
  }

  async #open(chain: string, address: Address): Promise<void> {
    const key = keyOf(chain, address);
    const shown = this.#shown.get(key) ?? (await this.#create(key, chain, address));
    shown.panel.reveal();
    await shown.page.load();
  }

  async #create(key: string, chain: string, address: Address): Promise<Shown> {
    const { AddressPage, addressHtml, addressTitle } = await import('./address-bundle');
    const panel = vscode.window.createWebviewPanel(
      'forklens.address',
      address,
      vscode.ViewColumn.Active,
      { enableScripts: false, enableCommandUris: [...LINKED], localResourceRoots: [] },
    );
    const icon = (name: string): vscode.Uri =>
      vscode.Uri.joinPath(this.extensionUri, 'media/icons', name);
    panel.iconPath = { light: icon('forklens-light.svg'), dark: icon('forklens-dark.svg') };
    const page = new AddressPage(this.context.client, chain, address, this.recent, () => {
      const nonce = randomBytes(16).toString('base64');
      panel.title = addressTitle(page.state);
      panel.webview.html = addressHtml(page.state, nonce, vscode.env.language);
    });
    panel.onDidDispose(() => {
      page.stop();
      this.#shown.delete(key);
    });
    const shown = { page, panel };
    this.#shown.set(key, shown);
    return shown;
  }
}

const keyOf = (chain: string, address: string): string => `${chain} ${address.toLowerCase()}`;
