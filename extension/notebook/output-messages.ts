import * as vscode from 'vscode';
import { isObject } from '../../server/client/is-object';
import { HASH, parseSource } from '../inspector/source';
import type { ApiClient } from '../model/api-client';
import { reportOf } from '../model/errors';
import { compareReplay } from './compare-replay';
import type { Replays } from './replays';

/** Opens the inspector, or a comparison, for outputs whose link was clicked. */
export function followOutputs(client: ApiClient, replays: Replays): vscode.Disposable {
  const messages = vscode.notebooks.createRendererMessaging('forklens-analysis');
  return messages.onDidReceiveMessage(({ message }) => {
    // The renderer shows untrusted text: only sources of inspectors and known replays are taken.
    const source = parseSource(message);
    if (source !== undefined) {
      const id = source.kind === 'transaction' ? 'openTransaction' : 'showSimulation';
      void vscode.commands.executeCommand(`forklens.${id}`, source);
      return;
    }
    if (!isObject(message)) return;
    const { replay: id, transaction } = message;
    const replay = replays.get(id);
    if (replay === undefined || typeof transaction !== 'string' || !HASH.test(transaction)) return;
    compareReplay(client, replay, transaction).catch((error: unknown) => {
      const report = reportOf(error);
      if (report) void vscode.window.showErrorMessage(report.message);
    });
  });
}
