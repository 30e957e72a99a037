import * as vscode from 'vscode';
import { parseSource } from '../inspector/source';

/** Opens the inspector for outputs whose link was clicked. */
export function followOutputs(): vscode.Disposable {
  const messages = vscode.notebooks.createRendererMessaging('forklens-analysis');
  return messages.onDidReceiveMessage(({ message }) => {
    // The renderer shows untrusted text: only sources of inspectors are taken.
    const source = parseSource(message);
    if (source === undefined) return;
    const id = source.kind === 'transaction' ? 'openTransaction' : 'showSimulation';
    void vscode.commands.executeCommand(`forklens.${id}`, source);
  });
}
