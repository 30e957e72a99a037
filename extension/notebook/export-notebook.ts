import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { translations } from '../editor/translations';
import { reportMarkdown, type ReportCell } from './book/report-cells';
import { kindOf } from './book-data';
import { reportOutputOf } from './cell-outputs';
import { activeBook } from './open-book';
import { reportHtml } from './report-html';

/** Writes the active book with what its cells show now, as a page or as Markdown. Writes nothing if the user cancels. */
export async function exportNotebook(extensionUri: vscode.Uri): Promise<void> {
  const book = activeBook();
  const name = (book.uri.path.split('/').at(-1) ?? '').replace(/\.forklens-book$/, '');
  const folder =
    book.uri.scheme === 'untitled'
      ? vscode.workspace.workspaceFolders?.[0]?.uri
      : vscode.Uri.joinPath(book.uri, '..');
  const file = `${name}.html`;
  const place = await vscode.window.showSaveDialog({
    title: l10n.t('Export as Report'),
    defaultUri: folder ? vscode.Uri.joinPath(folder, file) : vscode.Uri.file(file),
    filters: { HTML: ['html'], Markdown: ['md'] },
  });
  if (!place) return;
  const cells = book.getCells().map((cell): ReportCell => ({
    kind: kindOf(cell.kind, cell.document.languageId),
    text: cell.document.getText().replaceAll('\r\n', '\n'),
    outputs: cell.outputs.flatMap((output) => reportOutputOf(output) ?? []),
  }));
  const text = place.path.endsWith('.md')
    ? reportMarkdown(cells)
    : await pageOf(name, cells, extensionUri);
  await vscode.workspace.fs.writeFile(place, Buffer.from(text));
}

async function pageOf(
  title: string,
  cells: readonly ReportCell[],
  extensionUri: vscode.Uri,
): Promise<string> {
  const read = async (file: string): Promise<string> => {
    const place = vscode.Uri.joinPath(extensionUri, 'dist', file);
    return Buffer.from(await vscode.workspace.fs.readFile(place)).toString('utf8');
  };
  const [script, style] = await Promise.all([read('page.js'), read('page.css')]);
  const render = async (markdown: string): Promise<string> =>
    String(await vscode.commands.executeCommand('markdown.api.render', markdown));
  return reportHtml({ title, cells, render, script, style, translations });
}
