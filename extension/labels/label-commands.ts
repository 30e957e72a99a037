import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Label } from '../../server/api/labels';
import { addressSchema } from '../../server/api/primitives';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { UserCancelledError } from '../model/errors';
import { copyText } from '../ui/clipboard';
import { enterText, pick } from '../ui/quick-input';
import { counted, shortHex } from '../../server/client/format';
import type { Labels } from './labels';

const TITLE = l10n.t('Name Address');
const MAX_NAME = 60;

export function labelCommands(
  { client }: Pick<CommandContext, 'client'>,
  labels: Labels,
): Pick<
  Commands,
  | 'forklens.nameAddress'
  | 'forklens.renameLabel'
  | 'forklens.deleteLabel'
  | 'forklens.copyLabelAddress'
  | 'forklens.refreshLabels'
> {
  return {
    'forklens.nameAddress': async (given) => {
      const address = given === undefined ? await askAddress() : addressSchema.parse(given);
      const known = (await labels.list()).find((label) => label.address === address);
      const chain = known?.chain ?? (await askScope());
      const name = await askName(address, known?.name ?? '');
      await labels.put({ address, name, ...(chain === undefined ? {} : { chain }) });
    },

    'forklens.renameLabel': async (label) => {
      await labels.put({ ...label, name: await askName(label.address, label.name) });
    },

    'forklens.deleteLabel': async (label) => {
      await labels.delete(label);
    },

    'forklens.copyLabelAddress': async ({ address, name }: Label) => {
      await copyText(address, l10n.t('the address of {0}', name));
    },

    'forklens.refreshLabels': () => {
      labels.refresh();
      return Promise.resolve();
    },
  };

  /** @returns undefined for all chains */
  async function askScope(): Promise<string | undefined> {
    const chains = await client.call('listChains', {});
    const { value } = await pick<string>({
      title: TITLE,
      placeholder: l10n.t('Where the name counts'),
      items: Promise.resolve([
        { label: l10n.t('All chains'), description: counted(chains.length, 'chain'), value: '' },
        ...chains.map(({ slug, name }) => ({
          label: slug,
          description: l10n.t('{0} and its forks', name),
          iconPath: new vscode.ThemeIcon('link'),
          value: slug,
        })),
      ]),
    });
    return value === '' ? undefined : value;
  }
}

async function askAddress(): Promise<string> {
  const text = await enterText({
    title: TITLE,
    value: '',
    prompt: l10n.t('Address to name'),
    placeholder: '0x…',
    validate: (value) =>
      addressSchema.safeParse(value.trim()).success
        ? undefined
        : l10n.t('An address is 0x and 40 hex digits.'),
  });
  return text.trim().toLowerCase();
}

async function askName(address: string, value: string): Promise<string> {
  const name = await enterText({
    title: TITLE,
    value,
    prompt: l10n.t('Name of {0}, 1-{1} characters', shortHex(address), MAX_NAME),
    placeholder: l10n.t('treasury'),
    validate: (text) =>
      text.trim() === '' || text.trim().length > MAX_NAME
        ? l10n.t('Enter a name of 1-{0} characters.', MAX_NAME)
        : undefined,
  });
  if (name.trim() === value) throw new UserCancelledError();
  return name.trim();
}
