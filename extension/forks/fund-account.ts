import * as l10n from '@vscode/l10n';
import { MAX_WORD } from '../../server/api/word';
import { parseAmount } from '../../server/client/amounts';
import { shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import type { Commands } from '../model/commands';
import { forkOf, type ForkChoice } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { enterText, pick } from '../ui/quick-input';
import { askAddress, run, showMessage } from './ask-fork';

const NATIVE_DECIMALS = 18;

/** Sets the balance of an account in ether or in a token. */
export const fundAccount =
  (client: ApiClient): Commands['forklens.fundAccount'] =>
  async (node) => {
    const title = l10n.t('Fund Account');
    const choice = await forkOf(client, node, title);
    const { value: asset } = await pick({
      title,
      placeholder: l10n.t('Asset of the account'),
      items: nativeSymbolOf(client, choice).then((symbol) => [
        { label: symbol, description: l10n.t('the native asset'), value: 'native' as const },
        {
          label: l10n.t('ERC-20 token'),
          description: l10n.t('by its address'),
          value: 'token' as const,
        },
      ]),
    });
    if (asset === 'native') await fundNative(client, choice, title);
    else await fundToken(client, choice, title);
  };

async function nativeSymbolOf(client: ApiClient, { fork }: ForkChoice): Promise<string> {
  const chains = await client.call('listChains', {});
  return chains.find(({ slug }) => slug === fork.chain)?.nativeSymbol ?? 'ETH';
}

async function fundNative(client: ApiClient, choice: ForkChoice, title: string): Promise<void> {
  const account = await askAddress(title, l10n.t('Account to fund'));
  const symbol = await nativeSymbolOf(client, choice);
  const amount = await askAmount(title, l10n.t('New balance in {0}', symbol), NATIVE_DECIMALS);
  await run(choice, 'anvil_setBalance', [account, `0x${amount.toString(16)}`]);
  showMessage(l10n.t('{0} has its {1} on "{2}".', shortHex(account), symbol, choice.fork.name));
}

async function fundToken(client: ApiClient, choice: ForkChoice, title: string): Promise<void> {
  const token = await askAddress(title, l10n.t('Address of the ERC-20 token'));
  const params = { chain: choice.fork.forkId, address: token };
  const facts = await withProgress(l10n.t('Reading the token…'), (signal) =>
    client.call('getAddress', { params }, { signal }),
  );
  const { symbol = 'tokens', decimals = 0 } = facts.token ?? {};
  const account = await askAddress(title, l10n.t('Account to fund with {0}', symbol));
  const unit = decimals === 0 ? l10n.t('{0}, in the smallest unit', symbol) : symbol;
  const amount = await askAmount(title, l10n.t('New balance in {0}', unit), decimals);
  const balance = [token, account, `0x${amount.toString(16)}`];
  await run(choice, 'tenderly_setErc20Balance', balance);
  showMessage(l10n.t('{0} has its {1} on "{2}".', shortHex(account), symbol, choice.fork.name));
}

async function askAmount(title: string, prompt: string, decimals: number): Promise<bigint> {
  const rule =
    decimals === 0
      ? l10n.t('Enter a whole number, less than 2^256.')
      : l10n.t('Enter an amount such as 1,000.5, with up to {0} decimals.', decimals);
  const text = await enterText({
    title,
    value: decimals === 0 ? '' : '100',
    prompt,
    validate: (value) => (parseAmount(value, decimals) === undefined ? rule : undefined),
  });
  return parseAmount(text, decimals) ?? MAX_WORD;
}
