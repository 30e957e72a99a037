import * as l10n from '@vscode/l10n';
import type { Invocation } from '../../../server/api/explorer';
import { ancestors, invocationAt, type CallTree } from '../model/tree-model';
import { scaled } from '../../../server/presentation/decimal';
import { wholeCallData } from './call-data';

const ADDRESS = /^0x[0-9a-f]{40}$/;
const BYTES = /^0x([0-9a-f]{2})*$/;
/** Linux limits a single program argument to 128 KiB. */
const ARGUMENT_LIMIT = 128 * 1024 - 1;

/** `why`: the reason why there is no command, as the end of a sentence. */
export type CastCall = { ok: true; command: string } | { ok: false; why: string };

/** A call that runs the frame's code in the frame's context. */
interface Context {
  sender: string;
  target: string;
  value: string;
  /** Contract whose code the target must have, if it is not the target's own. */
  code?: string;
}

function contextOf(tree: CallTree, index: number, call: Invocation): Context {
  const { operation, address, fromAddress, value } = call;
  if (operation === 'CALLCODE') {
    return { sender: fromAddress, target: fromAddress, value, code: address };
  }
  if (operation !== 'DELEGATECALL') return { sender: fromAddress, target: address, value };
  // A delegate call has the sender and value of the frame whose context it runs in.
  const borrowed = ancestors(tree, index)
    .map((above) => invocationAt(tree, above))
    .find((above) => above !== undefined && above.operation !== 'DELEGATECALL');
  return {
    sender: borrowed?.fromAddress ?? fromAddress,
    target: fromAddress,
    value: borrowed?.value ?? '0',
    code: address,
  };
}

function wasCreatedBefore(tree: CallTree, index: number, address: string): boolean {
  return tree.rows
    .slice(0, index)
    .some(
      (row) =>
        row.nodeType === 0 &&
        row.invocation.operation.startsWith('CREATE') &&
        row.invocation.address === address,
    );
}

/**
 * The call of a row as a command line of Foundry's `cast`, on the state before the block. Changes by earlier transactions of the
 * block and by earlier calls of this transaction are not included. The user's endpoint is in `ETH_RPC_URL`.
 * The command contains only hex and digits from the trace, so that a shell has nothing to interpret.
 */
export function castCall(tree: CallTree, index: number, blockNumber: number): CastCall {
  const no = (why: string): CastCall => ({ ok: false, why });
  const call = invocationAt(tree, index);
  if (!call) return no(l10n.t('an event is not a call'));
  if (call.operation === 'SELFDESTRUCT') return no(l10n.t('a self-destruct is not a call'));
  const data = wholeCallData(call);
  if (!BYTES.test(data)) return no(l10n.t('its call data is not known'));
  if (data.length > ARGUMENT_LIMIT)
    return no(l10n.t('its call data is too long for a command line'));
  if (blockNumber < 1) return no(l10n.t('there is no state before the block'));
  const { sender, target, value, code } = contextOf(tree, index, call);
  const wei = scaled(value || '0');
  if (!ADDRESS.test(sender) || wei === undefined)
    return no(l10n.t('its caller or value is not known'));
  const isFunded = sender === invocationAt(tree, 0)?.fromAddress;
  const common = [
    `--from ${sender}`,
    ...(wei > 0n ? [`--value ${wei}`] : []),
    // The sender of an inner call may have received the value in this same transaction.
    ...(wei > 0n && !isFunded ? [`--override-balance ${sender}:${wei}`] : []),
    `--block ${blockNumber - 1}`,
    '--rpc-url "$ETH_RPC_URL"',
  ];
  if (call.operation.startsWith('CREATE')) {
    // For a creation, the value is an option of the subcommand; all other options are not.
    const [from, ...rest] = common.filter((option) => !option.startsWith('--value'));
    const sent = wei > 0n ? ` --value ${wei}` : '';
    return {
      ok: true,
      command: `cast call ${[from, ...rest].join(' ')} --create ${data}${sent}`,
    };
  }
  if (!ADDRESS.test(target)) return no(l10n.t('whom it calls is not known'));
  for (const needed of [target, code ?? target]) {
    if (wasCreatedBefore(tree, index, needed)) {
      return no(l10n.t('the contract did not exist before this transaction'));
    }
  }
  const override =
    code === undefined
      ? []
      : [
          `--override-code "${target}:$(cast code ${code} --block ${blockNumber - 1} --rpc-url "$ETH_RPC_URL")"`,
        ];
  const command = ['cast call', target, `--data ${data}`, ...common, ...override].join(' ');
  return { ok: true, command };
}
