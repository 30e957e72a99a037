import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { endpointInWords, type Endpoint } from '../../server/api/endpoint';
import { ApiError } from '../../server/api/errors';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { confirmDelete } from '../ui/confirm-delete';
import { withProgress } from '../ui/progress';
import { sentence } from '../model/sentence';
import { pick, type PickItem } from '../ui/quick-input';
import { readSettings } from '../editor/settings';
import { runEndpointCommand } from './admin-client';
import type { EndpointStore } from './endpoint-store';
import type { EndpointSync } from './endpoint-sync';

type Context = Pick<CommandContext, 'client' | 'service'>;

export function endpointCommands(
  { client, service }: Context,
  store: EndpointStore,
  sync: EndpointSync,
): Pick<Commands, 'forklens.addEndpoint' | 'forklens.manageEndpoints'> {
  return {
    'forklens.addEndpoint': async () => {
      const dataDirectory = bundledDirectory();
      await service.connect();
      const { askAddress, askSlug } = await import('./ask-endpoint');
      const { address, report } = await askAddress(dataDirectory);
      const slug = await askSlug(report, await client.call('listChains', {}));
      await store.put({ slug, chainId: report.chainId, ...address });
      await sync.settled();
      void vscode.window.showInformationMessage(
        l10n.t('Endpoint added for {0}: {1}.', slug, endpointInWords(report)),
      );
    },

    'forklens.manageEndpoints': async () => {
      const dataDirectory = bundledDirectory();
      const endpoints = await store.list();
      if (endpoints.length === 0) {
        void offerFirstEndpoint();
        return;
      }
      await service.connect();
      const { value } = await pick({
        title: l10n.t('RPC Endpoints'),
        placeholder: l10n.t('Choose one to remove it'),
        items: withProgress(l10n.t('Checking the endpoints…'), (signal) =>
          Promise.all(endpoints.map((endpoint) => checkedItem(dataDirectory, endpoint, signal))),
        ),
      });
      await confirmDelete(
        l10n.t('Remove the endpoint of {0}?', value.slug),
        l10n.t('{0} is no longer used, and its URL is deleted.', new URL(value.url).host),
      );
      await store.remove(value.slug);
      await sync.settled();
    },
  };
}

/** @throws ApiError `ownerOnly` if the settings name a remote service */
function bundledDirectory(): string {
  const { serviceMode, dataDirectory } = readSettings();
  if (serviceMode === 'bundled') return dataDirectory;
  throw new ApiError(
    'ownerOnly',
    l10n.t('the endpoints of a remote service are set by its operator in its config file'),
  );
}

/** Shows only the URL's host, because the rest may contain a key. */
async function checkedItem(
  dataDirectory: string,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<PickItem<Endpoint>> {
  const { slug, url, headers } = endpoint;
  const item = { label: slug, description: new URL(url).host, value: endpoint };
  try {
    const report = await runEndpointCommand(
      dataDirectory,
      'checkEndpoint',
      { url, headers },
      signal,
    );
    const right = report.chainId === endpoint.chainId;
    const detail = right
      ? endpointInWords(report)
      : l10n.t('answers for chain id {0} instead of {1}', report.chainId, endpoint.chainId);
    return { ...item, detail, iconPath: new vscode.ThemeIcon(right ? 'pass' : 'warning') };
  } catch (error) {
    const detail = error instanceof Error ? sentence(error.message) : '';
    return { ...item, detail, iconPath: new vscode.ThemeIcon('error') };
  }
}

async function offerFirstEndpoint(): Promise<void> {
  const add = l10n.t('Add Endpoint');
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('You have added no endpoint. Public endpoints are used; most know recent blocks only.'),
    add,
  );
  if (chosen === add) await vscode.commands.executeCommand('forklens.addEndpoint');
}
