import * as l10n from '@vscode/l10n';
import type { Invocation } from '../../../server/api/explorer';
import { ancestors, invocationAt, type CallTree } from '../call-tree/tree-model';
import { scaled } from '../grammar/decimal';
import { wholeCallData } from './call-data';

const ADDRESS = /^0x[0-9a-f]{40}$/;
const BYTES = /^0x([0-9a-f]{2})*$/;
/** Linux passes no single argument longer than 128 KiB to a program. */
const ARGUMENT_LIMIT = 128 * 1024 - 1;

/** `why` says why there is no command, as the end of a sentence. */
export type CastCall = { ok: true; command: string } | { ok: false; why: string };

/** A call as the chain would have to see it to run the frame's code in the frame's context. */
interface Context {
  sender: string;
  target: string;
  value: string;
  /** Whose code the target must have, where it is not its own. */
  code?: string;
}

function contextOf(tree: CallTree, index: number, call: Invocation): Context {
  const { operation, address, fromAddress, value } = call;
  if (operation === 'CALLCODE') {
    return { sender: fromAddress, target: fromAddress, value, code: address };
  }
  if (operation !== 'DELEGATECALL') return { sender: fromAddress, target: address, value };
  // Sender and value are those of the frame whose context it borrows.
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
 * The call of a row as a command line of Foundry's `cast`, on the state in front of the block: what earlier transactions
 * of the block, and earlier calls of this one, changed is not in it. The endpoint is the reader's, in `ETH_RPC_URL`.
 * All that it is made of is hex and digits, so that no shell finds anything to interpret.
 */
export function castCall(tree: CallTree, index: number, blockNumber: number): CastCall {
  const no = (why: string): CastCall => ({ ok: false, why });
  const call = invocationAt(tree, index);
  if (!call) return no(l10n.t('an event is no call'));
  if (call.operation === 'SELFDESTRUCT') return no(l10n.t('a self-destruct is no call'));
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
    // What an inner call passes on, its caller often has from this transaction only.
    ...(wei > 0n && !isFunded ? [`--override-balance ${sender}:${wei}`] : []),
    `--block ${blockNumber - 1}`,
    '--rpc-url "$ETH_RPC_URL"',
  ];
  if (call.operation.startsWith('CREATE')) {
    // The value of a creation is an option of the subcommand, the rest is not.
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
