import * as l10n from '@vscode/l10n';
import { addressSchema } from '../../server/api/primitives';
import { parseAmount } from '../../server/client/amounts';
import { enterText, pick } from '../ui/quick-input';
import type { Fields, Insertion } from './block-plan';

/** Decimals of the units in which an amount may be written. */
const UNITS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/** Wei of `1.5 ether`, `20 gwei` or `7`; undefined for what is no amount. */
function weiOf(text: string): string | undefined {
  const [, amount = '', unit = 'wei'] =
    /^\s*([\d.,_ ]*\d)\s*(wei|gwei|ether)?\s*$/.exec(text) ?? [];
  return parseAmount(amount, UNITS[unit] ?? 0)?.toString();
}

interface Rule {
  readonly label: string;
  readonly accepted: string;
  /** Undefined for what is not accepted. */
  readonly read: (text: string) => string | undefined;
}

const address = (label: string): Rule => ({
  label,
  accepted: l10n.t('Enter an address: 0x and 40 hex digits'),
  read: (text) => addressSchema.safeParse(text.trim()).data,
});
const amount = (label: string): Rule => ({
  label,
  accepted: l10n.t('Enter wei, or an amount with a unit such as 1.5 ether or 20 gwei'),
  read: weiOf,
});

const RULES = (): Record<keyof Fields, Rule> => ({
  to: address(l10n.t('Receiver')),
  value: amount(l10n.t('Value')),
  data: {
    label: l10n.t('Data'),
    accepted: l10n.t('Enter bytes: 0x and an even number of hex digits'),
    read: (text) => /^0x([0-9a-fA-F]{2})*$/.exec(text.trim())?.[0],
  },
  gas: {
    label: l10n.t('Gas limit'),
    accepted: l10n.t('Enter a whole number'),
    read: (text) => /^\d{1,15}$/.exec(text.trim())?.[0],
  },
  gasPrice: amount(l10n.t('Gas price')),
  maxFeePerGas: amount(l10n.t('Maximum fee per gas')),
  maxPriorityFeePerGas: amount(l10n.t('Maximum priority fee per gas')),
});

/**
 * Asks for a field of a transaction and its value.
 * @returns undefined as the value where the user empties it
 * @throws UserCancelledError
 */
export async function askField(
  title: string,
  known: Fields,
): Promise<{ field: keyof Fields; value: string | undefined }> {
  const rules = RULES();
  const { value: field } = await pick({
    title,
    placeholder: l10n.t('Field to change'),
    items: Promise.resolve(
      (Object.keys(rules) as (keyof Fields)[]).map((name) => ({
        label: rules[name].label,
        description: String(known[name] ?? ''),
        value: name,
      })),
    ),
  });
  const { label, accepted, read } = rules[field];
  const text = await enterText({
    title: l10n.t('{0}: {1}', title, label),
    value: String(known[field] ?? ''),
    prompt: l10n.t('{0}. Empty: as it was', accepted),
    validate: (entered) =>
      entered.trim() === '' || read(entered) !== undefined ? undefined : accepted,
  });
  return { field, value: read(text) };
}

/** Asks for a transaction to insert: a hash, a signed one, or its sender and then its fields. @throws UserCancelledError */
export async function askInsertion(title: string): Promise<Insertion> {
  const accepted = l10n.t(
    'Enter a hash of another block, a signed transaction, or the address of a sender',
  );
  const given = (
    await enterText({
      title,
      value: '',
      prompt: accepted,
      placeholder: '0x…',
      validate: (text) => (/^0x([0-9a-fA-F]{2}){20,}$/.test(text.trim()) ? undefined : accepted),
    })
  ).trim();
  if (given.length === 66) return { kind: 'insertMined', hash: given };
  if (given.length > 66) return { kind: 'insertSigned', raw: given };
  const from = addressSchema.parse(given);
  const { to, value, data } = RULES();
  const ask = async ({ label, accepted: rule, read }: Rule, isNeeded: boolean) => {
    const text = await enterText({
      title: l10n.t('{0}: {1}', title, label),
      value: '',
      prompt: isNeeded ? rule : l10n.t('{0}. Empty: none', rule),
      validate: (entered) =>
        (!isNeeded && entered.trim() === '') || read(entered) !== undefined ? undefined : rule,
    });
    return read(text);
  };
  const receiver = await ask(to, true);
  const paid = await ask(value, false);
  const input = await ask(data, false);
  return {
    kind: 'insert',
    transaction: {
      from,
      ...(receiver === undefined ? {} : { to: receiver }),
      ...(paid === undefined ? {} : { value: paid }),
      ...(input === undefined ? {} : { data: input }),
    },
  };
}
