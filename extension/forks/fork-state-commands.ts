import { MAX_WORD } from '../../server/api/word';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { enterText, pick } from '../ui/quick-input';
import { parseAmount, parseForkTime, type ForkTime } from '../../server/client/amounts';
import { forkRpc } from '../../server/client/fork-rpc';
import { counted, shortHex, utc } from '../../server/client/format';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { addressProblem } from '../ui/input-rules';
import { forkOf, type ForkChoice } from '../ui/pickers';
import { withProgress } from '../ui/progress';

const NATIVE_DECIMALS = 18;
const MAX_BLOCKS = 10_000;

/** Commands that change a fork's state without a transaction. */
export function forkStateCommands({
  client,
}: CommandContext): Pick<
  Commands,
  | 'forklens.fundAccount'
  | 'forklens.impersonateAccount'
  | 'forklens.stopImpersonating'
  | 'forklens.setForkTime'
  | 'forklens.mineBlocks'
> {
  return {
    'forklens.fundAccount': async (node) => {
      const title = l10n.t('Fund Account');
      const choice = await forkOf(client, node, title);
      const { value: asset } = await pick({
        title,
        placeholder: l10n.t('Asset of the account'),
        items: nativeSymbolOf(choice).then((symbol) => [
          { label: symbol, description: l10n.t('the native asset'), value: 'native' as const },
          {
            label: l10n.t('ERC-20 token'),
            description: l10n.t('by its address'),
            value: 'token' as const,
          },
        ]),
      });
      if (asset === 'native') await fundNative(choice, title);
      else await fundToken(choice, title);
    },

    'forklens.impersonateAccount': async (node) => {
      const title = l10n.t('Impersonate Account');
      const choice = await forkOf(client, node, title);
      const account = await askAddress(title, l10n.t('Account to send from without its key'));
      await run(choice, 'anvil_impersonateAccount', [account]);
      showMessage(
        l10n.t('{0} can send transactions on "{1}" unsigned.', shortHex(account), choice.fork.name),
      );
    },

    'forklens.stopImpersonating': async (node) => {
      const title = l10n.t('Stop Impersonating Account');
      const choice = await forkOf(client, node, title);
      const account = await askAddress(title, l10n.t('Account that is impersonated'));
      await run(choice, 'anvil_stopImpersonatingAccount', [account]);
      showMessage(
        l10n.t('{0} is no longer impersonated on "{1}".', shortHex(account), choice.fork.name),
      );
    },

    'forklens.setForkTime': async (node) => {
      const title = l10n.t('Set Time');
      const choice = await forkOf(client, node, title);
      const now = await run(choice, 'eth_getBlockByNumber', ['latest', false]);
      const latest = Number((now as { timestamp: string }).timestamp);
      const text = await enterText({
        title,
        value: '',
        prompt: l10n.t('Time of the next block; the newest is of {0} UTC', utc(latest)),
        placeholder: '+7 d, +3600, 2026-01-31 12:00',
        validate: (value) => timeProblem(parseForkTime(value), latest),
      });
      const time = parseForkTime(text);
      if (time === undefined) return;
      if (time.kind === 'later') await run(choice, 'evm_increaseTime', [time.seconds]);
      else await run(choice, 'evm_setNextBlockTimestamp', [time.timestamp]);
      await run(choice, 'evm_mine', []);
      const mined = await run(choice, 'eth_getBlockByNumber', ['latest', false]);
      const reached = Number((mined as { timestamp: string }).timestamp);
      showMessage(
        l10n.t(
          'It is {0} UTC on "{1}": a block of that time was mined.',
          utc(reached),
          choice.fork.name,
        ),
      );
    },

    'forklens.mineBlocks': async (node) => {
      const title = l10n.t('Mine Blocks');
      const choice = await forkOf(client, node, title);
      const text = await enterText({
        title,
        value: '1',
        prompt: l10n.t('How many empty blocks, 1 to {0}', MAX_BLOCKS),
        validate: (value) => (isCount(value) ? undefined : l10n.t('Enter 1 to {0}.', MAX_BLOCKS)),
      });
      const blocks = Number(text);
      await run(choice, 'anvil_mine', [`0x${blocks.toString(16)}`]);
      showMessage(l10n.t('{0} mined on "{1}".', counted(blocks, 'block'), choice.fork.name));
    },
  };

  async function nativeSymbolOf({ fork }: ForkChoice): Promise<string> {
    const chains = await client.call('listChains', {});
    return chains.find(({ slug }) => slug === fork.chain)?.nativeSymbol ?? 'ETH';
  }

  async function fundNative(choice: ForkChoice, title: string): Promise<void> {
    const account = await askAddress(title, l10n.t('Account to fund'));
    const symbol = await nativeSymbolOf(choice);
    const amount = await askAmount(title, l10n.t('New balance in {0}', symbol), NATIVE_DECIMALS);
    await run(choice, 'anvil_setBalance', [account, `0x${amount.toString(16)}`]);
    showMessage(l10n.t('{0} has its {1} on "{2}".', shortHex(account), symbol, choice.fork.name));
  }

  async function fundToken(choice: ForkChoice, title: string): Promise<void> {
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
}

function run({ fork }: ForkChoice, method: string, params: readonly unknown[]): Promise<unknown> {
  return withProgress(l10n.t('Asking fork "{0}"…', fork.name), (signal) =>
    forkRpc(fork, method, params, signal),
  );
}

async function askAddress(title: string, prompt: string): Promise<string> {
  const text = await enterText({
    title,
    value: '',
    prompt,
    placeholder: '0x…',
    validate: addressProblem,
  });
  return text.trim().toLowerCase();
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

const TIME_RULE = l10n.t(
  'Enter a time from now such as +7 d (s, min, h, d, w), a UTC time such as 2026-01-31 12:00, or Unix seconds.',
);

function timeProblem(time: ForkTime | undefined, latest: number): string | undefined {
  if (time === undefined) return TIME_RULE;
  return time.kind === 'at' && time.timestamp <= latest
    ? l10n.t('Enter a time after {0} UTC, that of the newest block.', utc(latest))
    : undefined;
}

const isCount = (text: string): boolean =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_BLOCKS;

function showMessage(message: string): void {
  void vscode.window.showInformationMessage(message);
}
