import * as vscode from 'vscode';
import { endpointInWords, type Endpoint, type EndpointReport } from '../../server/api/endpoint';
import { ApiError } from '../../server/api/errors';
import { httpUrl, slugSchema, type PublicChain } from '../../server/api/config';
import type { CommandContext } from '../commands/command-context';
import type { Commands } from '../commands/commands';
import { confirmDelete } from '../commands/project-commands';
import { withProgress } from '../commands/progress';
import { sentence } from '../errors';
import { enterText, pick, type PickItem } from '../quick-input/quick-input';
import { readSettings } from '../settings';
import { runEndpointCommand } from './admin-client';
import type { EndpointStore } from './endpoint-store';
import type { EndpointSync } from './endpoint-sync';

const TITLE = 'Add RPC Endpoint';
/** The chain that comes with the service: it has its own node. */
const BUILT_IN = 'sandbox';

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
      const { url, report } = await askUrl(dataDirectory);
      const slug = await askSlug(report, await client.call('listChains', {}));
      await store.put({ slug, chainId: report.chainId, url });
      await sync.settled();
      void vscode.window.showInformationMessage(
        `Endpoint added for ${slug}: ${endpointInWords(report)}.`,
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
        title: 'RPC Endpoints',
        placeholder: 'Choose one to remove it',
        items: withProgress('Checking the endpoints…', (signal) =>
          Promise.all(endpoints.map((endpoint) => checkedItem(dataDirectory, endpoint, signal))),
        ),
      });
      await confirmDelete(
        `Remove the endpoint of ${value.slug}?`,
        `${new URL(value.url).host} is not asked any more, and its URL is forgotten.`,
      );
      await store.remove(value.slug);
      await sync.settled();
    },
  };
}

/** @throws ApiError `ownerOnly` where the settings name a remote service */
function bundledDirectory(): string {
  const { serviceMode, dataDirectory } = readSettings();
  if (serviceMode === 'bundled') return dataDirectory;
  throw new ApiError(
    'ownerOnly',
    'the endpoints of a remote service are set in its config file, by who runs it',
  );
}

/** Asks until an endpoint answers, or the user gives up. */
async function askUrl(dataDirectory: string): Promise<{ url: string; report: EndpointReport }> {
  let url = '';
  let error: string | undefined;
  for (;;) {
    const text = await enterText({
      title: TITLE,
      value: url,
      prompt: 'URL of the JSON-RPC endpoint. It is kept in the secret storage of the editor',
      placeholder: 'https://…',
      error,
      validate: (value) =>
        httpUrl.safeParse(value.trim()).success ? undefined : 'Enter an http:// or https:// URL.',
    });
    url = text.trim();
    try {
      const report = await withProgress('Checking the endpoint…', (signal) =>
        runEndpointCommand(dataDirectory, 'checkEndpoint', { url }, signal),
      );
      return { url, report };
    } catch (refusal) {
      const isMendable =
        refusal instanceof ApiError &&
        (refusal.kind === 'upstreamUnreachable' || refusal.kind === 'timedOut');
      if (!isMendable) throw refusal;
      error = sentence(refusal.message);
    }
  }
}

/** The chain that the endpoint is for: a known one of its id, or a new one. */
async function askSlug(report: EndpointReport, chains: readonly PublicChain[]): Promise<string> {
  const twins = chains.filter(
    ({ slug, chainId }) => chainId === report.chainId && slug !== BUILT_IN,
  );
  const words = endpointInWords(report);
  const { value } = await pick<string>({
    title: TITLE,
    placeholder: `Chain id ${report.chainId}: ${words}`,
    items: Promise.resolve([
      ...twins.map(({ slug, name }) => ({
        label: slug,
        description: name,
        detail: 'Ask this endpoint first',
        iconPath: new vscode.ThemeIcon('link'),
        value: slug,
      })),
      {
        label: 'Another name…',
        detail: `A chain of its own with id ${report.chainId}`,
        iconPath: new vscode.ThemeIcon('add'),
        value: '',
      },
    ]),
  });
  if (value !== '') return value;
  const taken = new Set(chains.map(({ slug }) => slug));
  return enterText({
    title: TITLE,
    value: '',
    prompt: 'Name of the chain: lower-case letters, digits, dots and hyphens',
    placeholder: 'testnet',
    validate: (text) =>
      taken.has(text)
        ? 'There is a chain of this name already.'
        : slugSchema.safeParse(text).success
          ? undefined
          : 'Accepted: lower-case letters, digits, dots and hyphens.',
  });
}

/** The URL's host alone is shown: the rest may be a key. */
async function checkedItem(
  dataDirectory: string,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<PickItem<Endpoint>> {
  const { slug, url } = endpoint;
  const item = { label: slug, description: new URL(url).host, value: endpoint };
  try {
    const report = await runEndpointCommand(dataDirectory, 'checkEndpoint', { url }, signal);
    const right = report.chainId === endpoint.chainId;
    const detail = right
      ? endpointInWords(report)
      : `answers for chain id ${report.chainId} instead of ${endpoint.chainId}`;
    return { ...item, detail, iconPath: new vscode.ThemeIcon(right ? 'pass' : 'warning') };
  } catch (error) {
    const detail = error instanceof Error ? sentence(error.message) : '';
    return { ...item, detail, iconPath: new vscode.ThemeIcon('error') };
  }
}

async function offerFirstEndpoint(): Promise<void> {
  const add = 'Add Endpoint';
  const chosen = await vscode.window.showInformationMessage(
    'You have added no endpoint: public ones are used, which mostly know recent blocks only.',
    add,
  );
  if (chosen === add) await vscode.commands.executeCommand('forklens.addEndpoint');
}
