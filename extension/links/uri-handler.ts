import * as vscode from 'vscode';
import type { CommandId } from '../model/commands';
import { parseAnalysisUri, type AnalysisLink } from './analysis-uri';

const COMMANDS = {
  analyze: 'forklens.openTransaction',
  debug: 'forklens.debugTransaction',
} as const satisfies Record<AnalysisLink['page'], CommandId>;

/** Opens and debugs transactions from links such as `vscode://forklens.forklens/analyze?chain=…&tx=…` in reports and chats. */
export function registerUriHandler(): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async ({ path, query }) => {
      const link = parseAnalysisUri(path, query);
      if ('problem' in link) void vscode.window.showErrorMessage(link.problem);
      else {
        const { page, ...target } = link;
        await vscode.commands.executeCommand(COMMANDS[page], target);
      }
    },
  });
}
