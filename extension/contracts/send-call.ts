import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Abi } from 'viem';
import { addressSchema, type Hex } from '../../server/api/primitives';
import type { Fork } from '../../server/api/fork';
import { ForkRpcError, forkRpc } from '../../server/client/fork-rpc';
import type { CommandContext } from '../model/command-context';
import { UserCancelledError } from '../model/errors';
import { withProgress } from '../ui/progress';
import { failureOf } from './answer-text';

interface SentCall {
  title: string;
  from: string;
  /** Undefined for a creation. */
  to?: string;
  data: Hex;
  /** Wei. */
  value: bigint;
}

/**
 * Sends a transaction on a fork. If the fork does not take it, says why, and offers to simulate it.
 * @returns its hash
 * @throws UserCancelledError after such a message
 */
export async function sendCall(
  { inspector }: Pick<CommandContext, 'inspector'>,
  fork: Fork,
  abi: Abi,
  { title, from, to, data, value }: SentCall,
): Promise<string> {
  const quantity: Hex = `0x${value.toString(16)}`;
  const request = {
    from: addressSchema.parse(from),
    ...(to === undefined ? {} : { to: addressSchema.parse(to) }),
    data,
    value: quantity,
  };
  try {
    const hash = await withProgress(l10n.t('Sending to fork "{0}"…', fork.name), (signal) =>
      forkRpc(fork, 'eth_sendTransaction', [request], signal),
    );
    return String(hash);
  } catch (error) {
    if (!(error instanceof ForkRpcError)) throw error;
    void offerSimulation(l10n.t('{0} was not sent: {1}', title, failureOf(abi, error).text), () => {
      inspector.openSimulation({ chain: fork.forkId, request, title });
    });
    throw new UserCancelledError();
  }
}

async function offerSimulation(message: string, show: () => void): Promise<void> {
  const simulate = l10n.t('Simulate');
  if ((await vscode.window.showErrorMessage(message, simulate)) === simulate) show();
}
