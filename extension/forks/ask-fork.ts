import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { forkRpc } from '../../server/client/fork-rpc';
import { addressProblem } from '../ui/input-rules';
import type { ForkChoice } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { enterText } from '../ui/quick-input';

/** Sends a request to a fork, with progress. */
export function run(
  { fork }: ForkChoice,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  return withProgress(l10n.t('Asking fork "{0}"…', fork.name), (signal) =>
    forkRpc(fork, method, params, signal),
  );
}

export async function askAddress(title: string, prompt: string): Promise<string> {
  const text = await enterText({
    title,
    value: '',
    prompt,
    placeholder: '0x…',
    validate: addressProblem,
  });
  return text.trim().toLowerCase();
}

export function showMessage(message: string): void {
  void vscode.window.showInformationMessage(message);
}
