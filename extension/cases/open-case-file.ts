import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reportOf } from '../model/errors';
import { withProgress } from '../ui/progress';
import { CASE_EDITOR } from './case-editor-id';
import { caseFilters, nameOf, pathOnDisk } from './case-files';
import { caseProblemHtml } from './case-problem';
import type { CaseContext } from './cases-bundle';
import { showCase } from './show-case';

/** Asks for a case file, and shows it in its editor. */
export async function askCaseFile(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Open Case'),
      openLabel: l10n.t('Open Case'),
      filters: caseFilters(),
    })) ?? [];
  if (file) await vscode.commands.executeCommand('vscode.openWith', file, CASE_EDITOR);
}

/**
 * Shows the inspector of a case in the panel of its editor, or why the file cannot be opened. The panel is closed if the user does not
 * agree.
 */
export async function showCaseFile(
  { client, trust, show, log }: Pick<CaseContext, 'client' | 'trust' | 'show' | 'log'>,
  file: vscode.Uri,
  panel: vscode.WebviewPanel,
): Promise<void> {
  try {
    if (!(await trust.allows(file))) {
      panel.dispose();
      return;
    }
    const body = { file: pathOnDisk(file), online: false };
    const title = l10n.t('Opening {0}…', nameOf(file));
    const open = await withProgress(title, (signal) =>
      client.call('openCase', { body }, { signal }),
    );
    panel.title = nameOf(file);
    await showCase({ show }, open, panel);
  } catch (error) {
    log.error(`case file: ${error instanceof Error ? error.message : String(error)}`);
    const reason = reportOf(error)?.message ?? l10n.t('Cancelled.');
    panel.webview.html = caseProblemHtml(nameOf(file), reason, vscode.env.language);
  }
}
