// Entry of a bundle of its own, which the first link loads.
import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../model/commands';
import { parseAnalysisUri, type AnalysisLink } from './analysis-uri';

const COMMANDS = {
  analyze: 'forklens.openTransaction',
  debug: 'forklens.debugTransaction',
} as const satisfies Record<AnalysisLink['page'], CommandId>;

/** Does what a link is for, or says why it cannot. */
export async function openLink({ path, query }: vscode.Uri): Promise<void> {
  const link = parseAnalysisUri(path, query);
  if ('problem' in link) {
    void vscode.window.showErrorMessage(link.problem);
    return;
  }
  const { page, ...target } = link;
  // A web page can open the link, and a debug session takes over the editor and executes the transaction again.
  if (page === 'debug' && !(await confirmsDebugging(link))) return;
  await vscode.commands.executeCommand(COMMANDS[page], target);
}

async function confirmsDebugging({
  transaction,
  chain,
  breakpoints = [],
}: AnalysisLink): Promise<boolean> {
  const debug = l10n.t('Debug');
  const what = chain === undefined ? transaction : `${chain}: ${transaction}`;
  const sets = l10n.t('The link sets breakpoints: {0}.', breakpoints.length);
  const answer = await vscode.window.showInformationMessage(
    l10n.t('Debug the transaction of this link?'),
    { modal: true, detail: breakpoints.length === 0 ? what : `${what}\n${sets}` },
    debug,
  );
  return answer === debug;
}
