import * as l10n from '@vscode/l10n';
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
        // A web page can open the link, and a debug session takes over the editor and executes the transaction again.
        if (page === 'debug' && !(await confirmsDebugging(link))) return;
        await vscode.commands.executeCommand(COMMANDS[page], target);
      }
    },
  });
}

async function confirmsDebugging({ transaction, chain }: AnalysisLink): Promise<boolean> {
  const debug = l10n.t('Debug');
  const answer = await vscode.window.showInformationMessage(
    l10n.t('Debug the transaction of this link?'),
    { modal: true, detail: chain === undefined ? transaction : `${chain}: ${transaction}` },
    debug,
  );
  return answer === debug;
}
