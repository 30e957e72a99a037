import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { endpointUrl, slugSchema, type PublicChain } from '../../server/api/config';
import { endpointInWords, type Endpoint, type EndpointReport } from '../../server/api/endpoint';
import { ApiError } from '../../server/api/errors';
import { UserCancelledError } from '../model/errors';
import { sentence } from '../model/sentence';
import { withProgress } from '../ui/progress';
import { askTextOrPress, enterText, pick } from '../ui/quick-input';
import { BACK } from '../ui/steps';
import { runEndpointCommand } from './admin-client';
import { withHeaderLine } from './header-line';

const TITLE = l10n.t('Add RPC Endpoint');
/** The built-in chain, which has its own node. */
const BUILT_IN = 'sandbox';

type Address = Pick<Endpoint, 'url' | 'headers'>;

/** Asks until an endpoint answers. @throws UserCancelledError; ApiError of the check that another address cannot mend */
export async function askAddress(
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

/** Asks for the chain of the endpoint: an existing one with the same chain id, or a new one. @throws UserCancelledError */
export async function askSlug(
  report: EndpointReport,
  chains: readonly PublicChain[],
): Promise<string> {
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
