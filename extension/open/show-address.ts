import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AddressFacts } from '../../server/api/lookup';
import type { Address } from '../../server/api/primitives';
import { grouped, shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { copyText } from '../ui/clipboard';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';

const KINDS: Record<AddressFacts['kind'], string> = {
  account: l10n.t('account'),
  contract: l10n.t('contract'),
  delegated: l10n.t('account that runs a contract'),
};

/** Shows what is known of an address, and what can be done with it. @throws UserCancelledError, ApiError */
export async function showAddress(
  client: ApiClient,
  chain: string,
  address: Address,
): Promise<void> {
  const [facts, explorer] = await withProgress(
    l10n.t('Reading address {0}…', shortHex(address)),
    (signal) =>
      Promise.all([
        client.call('getAddress', { params: { chain, address } }, { signal }),
        explorerOf(client, chain),
      ]),
  );
  const { value } = await pick<() => Thenable<unknown>>({
    title: titleOf(facts),
    placeholder: factsOf(facts),
    items: Promise.resolve([
      {
        label: l10n.t('$(tag) Name address…'),
        value: () => vscode.commands.executeCommand('forklens.nameAddress', address),
      },
      {
        label: l10n.t('$(copy) Copy address'),
        description: address,
        value: () => copyText(address, shortHex(address)),
      },
      ...(explorer === undefined
        ? []
        : [
            {
              label: l10n.t('$(link-external) Open in block explorer'),
              description: explorer,
              value: () =>
                vscode.env.openExternal(vscode.Uri.parse(`${explorer}/address/${address}`)),
            },
          ]),
    ]),
  });
  await value();
}

const titleOf = ({ name, address, chain }: AddressFacts): string =>
  l10n.t('{0} on {1}', name === '' ? shortHex(address) : `${name} ${shortHex(address)}`, chain);

function factsOf({ kind, balance, nativeSymbol, nonce, token }: AddressFacts): string {
  const decimals =
    token?.decimals === undefined ? '' : ` ${l10n.t('with {0} decimals', token.decimals)}`;
  return [
    KINDS[kind],
    ...(token === undefined ? [] : [`${l10n.t('token')} ${token.symbol ?? ''}${decimals}`]),
    l10n.t('balance {0} {1}', balance, nativeSymbol),
    l10n.t('nonce {0}', grouped(nonce)),
  ].join(' · ');
}

async function explorerOf(client: ApiClient, chain: string): Promise<string | undefined> {
  const chains = await client.call('listChains', {});
  const base = chains.find(({ slug }) => slug === chain)?.blockExplorerUrl;
  return base?.replace(/\/+$/, '');
}
