import * as l10n from '@vscode/l10n';
import { invalidField } from '../../server/api/errors';
import type { Hex } from '../../server/api/primitives';
import { parseInteger } from '../../server/client/abi-argument';
import { shortHex } from '../../server/client/format';
import { askCall } from '../decoded-data/ask-call';
import { encode, itemOf } from '../decoded-data/encode';
import type { CommandContext } from '../model/command-context';
import { jsonOf } from './command-values';
import type { CallMeaning } from './meaning';

/** Simulates the call of a `cast call` or `cast send`. @throws UserCancelledError, ApiError `invalidField` */
export async function simulateCommand(context: CommandContext, call: CallMeaning): Promise<void> {
  const { to, from, chain, signature, block } = call;
  const value = call.value.replace(/(?<=\d)(?=wei|gwei|ether)/, ' ');
  if (parseInteger(value) === undefined) {
    throw invalidField('--value', call.value, l10n.t('wei, or such as 0.1ether'));
  }
  const title = signature?.split('(', 1).join('') ?? titleOf(call);
  const height = block === undefined ? {} : { height: block };
  const draft = { title, chain, to, from, value, data: dataOf(call), ...height };
  context.inspector.openSimulation(await askCall(context, draft));
}

const titleOf = ({ to, data }: CallMeaning): string =>
  data === undefined
    ? l10n.t('transfer to {0}', shortHex(to))
    : l10n.t('call of {0}', shortHex(to));

function dataOf({ data, signature, arguments: values }: CallMeaning): Hex {
  if (signature === undefined) return data ?? '0x';
  const item = itemOf(signature);
  // The command line writes arrays and tuples without quotes: [1,2] and (0xab…,5).
  return encode(
    item,
    values.map((text, index) =>
      /\]$|^tuple/.test(item.inputs[index]?.type ?? '') ? jsonOf(text) : text,
    ),
  );
}
