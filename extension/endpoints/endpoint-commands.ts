import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { endpointInWords, type Endpoint, type EndpointReport } from '../../server/api/endpoint';
import { ApiError } from '../../server/api/errors';
import { endpointUrl, slugSchema, type PublicChain } from '../../server/api/config';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { confirmDelete } from '../ui/confirm-delete';
import { withProgress } from '../ui/progress';
import { UserCancelledError } from '../model/errors';
import { sentence } from '../model/sentence';
import { askTextOrPress, enterText, pick, type PickItem } from '../ui/quick-input';
import { BACK } from '../ui/steps';
import { readSettings } from '../editor/settings';
import { runEndpointCommand } from './admin-client';
import type { EndpointStore } from './endpoint-store';
import type { EndpointSync } from './endpoint-sync';
import { withHeaderLine } from './header-line';

const TITLE = l10n.t('Add RPC Endpoint');
/** The built-in chain, which has its own node. */
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

type Address = Pick<Endpoint, 'url' | 'headers'>;

/** Asks until an endpoint answers or the user cancels. */
async function askAddress(
  dataDirectory: string,
): Promise<{ address: Address; report: EndpointReport }> {
  let url = '';
  let headers: NonNullable<Address['headers']> = {};
  let error: string | undefined;
  for (;;) {
    const names = Object.keys(headers);
    const entered = await askTextOrPress(
      {
        title: TITLE,
        value: url,
        prompt:
          names.length === 0
            ? l10n.t('URL of the JSON-RPC endpoint. It is kept in the secret storage of the editor')
            : l10n.t('URL of the JSON-RPC endpoint, which is sent {0}', names.join(', ')),
        placeholder: 'https://…',
        error,
        validate: (value) =>
          endpointUrl.safeParse(value.trim()).success
            ? undefined
            : l10n.t('Enter an http://, https://, ws:// or wss:// URL.'),
      },
      { iconPath: new vscode.ThemeIcon('key'), tooltip: l10n.t('Send a Header') },
    );
    if (entered === BACK) throw new UserCancelledError();
    error = undefined;
    if (typeof entered === 'object') {
      url = entered.typed;
      headers = await askHeader(headers);
      continue;
    }
    url = entered.trim();
    const address = names.length === 0 ? { url } : { url, headers };
    try {
      const report = await withProgress(l10n.t('Checking the endpoint…'), (signal) =>
        runEndpointCommand(dataDirectory, 'checkEndpoint', address, signal),
      );
      return { address, report };
    } catch (refusal) {
      const isFixable =
        refusal instanceof ApiError &&
        (refusal.kind === 'upstreamUnreachable' || refusal.kind === 'timedOut');
      if (!isFixable) throw refusal;
      error = sentence(refusal.message);
    }
  }
}

async function askHeader(
  headers: NonNullable<Address['headers']>,
): Promise<NonNullable<Address['headers']>> {
  const line = await enterText({
    title: TITLE,
    value: '',
    prompt: l10n.t('Header of each request, kept like the URL. Empty: no headers'),
    placeholder: 'Authorization: Bearer …',
    password: true,
    validate: (text) =>
      withHeaderLine(headers, text) === undefined
        ? l10n.t('Enter a name, a colon and a value, such as Authorization: Bearer …')
        : undefined,
  });
  return withHeaderLine(headers, line) ?? headers;
}

/** The chain of the endpoint: an existing one with the same chain id, or a new one. */
async function askSlug(report: EndpointReport, chains: readonly PublicChain[]): Promise<string> {
  const twins = chains.filter(
    ({ slug, chainId }) => chainId === report.chainId && slug !== BUILT_IN,
  );
  const words = endpointInWords(report);
  const { value } = await pick<string>({
    title: TITLE,
    placeholder: l10n.t('Chain id {0}: {1}', report.chainId, words),
    items: Promise.resolve([
      ...twins.map(({ slug, name }) => ({
        label: slug,
        description: name,
        detail: l10n.t('Ask this endpoint first'),
        iconPath: new vscode.ThemeIcon('link'),
        value: slug,
      })),
      {
        label: l10n.t('Another name…'),
        detail: l10n.t('A chain of its own with id {0}', report.chainId),
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
    prompt: l10n.t('Name of the chain: lower-case letters, digits, dots and hyphens'),
    placeholder: 'testnet',
    validate: (text) =>
      taken.has(text)
        ? l10n.t('There is a chain of this name already.')
        : slugSchema.safeParse(text).success
          ? undefined
          : l10n.t('Accepted: lower-case letters, digits, dots and hyphens.'),
  });
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
