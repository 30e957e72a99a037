import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

const SHOWN_MS = 3_000;

/** @param what names the text in the status bar, because the text itself may be a secret: `RPC URL of nightly` */
export async function copyText(text: string, what?: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showCopied(what);
}

/** Says that something is on the clipboard. */
export function showCopied(what?: string): void {
  const note = what === undefined ? l10n.t('$(check) Copied') : l10n.t('$(check) Copied {0}', what);
  vscode.window.setStatusBarMessage(note, SHOWN_MS);
}
