import * as l10n from '@vscode/l10n';
import { enterText } from '../ui/quick-input';
import { parseForkTime, type ForkTime } from '../../server/client/amounts';
import { counted, shortHex, utc } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { forkOf } from '../ui/pickers';
import { askAddress, run, showMessage } from './ask-fork';

const MAX_BLOCKS = 10_000;

/** Commands that change a fork's state without a transaction. */
export const forkStateCommands = ({
  client,
}: CommandContext): Pick<
  Commands,
  | 'forklens.fundAccount'
  | 'forklens.impersonateAccount'
  | 'forklens.stopImpersonating'
  | 'forklens.setForkTime'
  | 'forklens.mineBlocks'
> => ({
  'forklens.fundAccount': async (node) => {
    const { fundAccount } = await import('./fork-forms');
    await fundAccount(client)(node);
  },
  'forklens.impersonateAccount': impersonateAccount(client),
  'forklens.stopImpersonating': stopImpersonating(client),
  'forklens.setForkTime': setForkTime(client),
  'forklens.mineBlocks': mineBlocks(client),
});

const impersonateAccount =
  (client: ApiClient): Commands['forklens.impersonateAccount'] =>
  async (node) => {
    const title = l10n.t('Impersonate Account');
    const choice = await forkOf(client, node, title);
    const account = await askAddress(title, l10n.t('Account to send from without its key'));
    await run(choice, 'anvil_impersonateAccount', [account]);
    showMessage(
      l10n.t('{0} can send transactions on "{1}" unsigned.', shortHex(account), choice.fork.name),
    );
  };

const stopImpersonating =
  (client: ApiClient): Commands['forklens.stopImpersonating'] =>
  async (node) => {
    const title = l10n.t('Stop Impersonating Account');
    const choice = await forkOf(client, node, title);
    const account = await askAddress(title, l10n.t('Account that is impersonated'));
    await run(choice, 'anvil_stopImpersonatingAccount', [account]);
    showMessage(
      l10n.t('{0} is no longer impersonated on "{1}".', shortHex(account), choice.fork.name),
    );
  };

const setForkTime =
  (client: ApiClient): Commands['forklens.setForkTime'] =>
  async (node) => {
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
  };

const mineBlocks =
  (client: ApiClient): Commands['forklens.mineBlocks'] =>
  async (node) => {
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
  };

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
