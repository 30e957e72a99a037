import * as vscode from 'vscode';
import type { CommandId } from '../commands/commands';
import { parseAnalysisUri } from './analysis-uri';

const COMMAND: CommandId = 'forklens.openTransaction';

/** Opens analyses by `vscode://forklens.forklens/analyze?chain=…&tx=…`, such as a report or a chat links to. */
export function registerUriHandler(): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async ({ path, query }) => {
      const link = parseAnalysisUri(path, query);
      if ('problem' in link) void vscode.window.showErrorMessage(link.problem);
      else await vscode.commands.executeCommand(COMMAND, link);
    },
  });
}
