import * as vscode from 'vscode';
import type { CommandId } from '../model/commands';
import { parseAnalysisUri } from './analysis-uri';

const COMMAND: CommandId = 'forklens.openTransaction';

/** Opens analyses from links such as `vscode://forklens.forklens/analyze?chain=…&tx=…` in reports and chats. */
export function registerUriHandler(): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async ({ path, query }) => {
      const link = parseAnalysisUri(path, query);
      if ('problem' in link) void vscode.window.showErrorMessage(link.problem);
      else await vscode.commands.executeCommand(COMMAND, link);
    },
  });
}
