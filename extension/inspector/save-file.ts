import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

const MAX_NAME = 100;

/** Names of file types in the save dialog. */
const KINDS: Partial<Record<string, string>> = {
  csv: 'CSV',
  html: 'HTML',
  json: 'JSON',
  md: 'Markdown',
  png: l10n.t('PNG image'),
  svg: l10n.t('SVG image'),
};

/** Makes a proposed name valid on every file system. It may contain the name of a token or method, which others chose. */
function fileName(proposed: string): string {
  const name = proposed.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '');
  return name.slice(-MAX_NAME) || 'forklens';
}

/** Asks for a location, starting in the workspace folder, and writes the file. Writes nothing if the user cancels. */
export async function saveFile(proposed: string, content: Uint8Array): Promise<void> {
  const name = fileName(proposed);
  const extension = /\.(\w+)$/.exec(name)?.[1] ?? '';
  const kind = KINDS[extension];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const place = await vscode.window.showSaveDialog({
    title: l10n.t('Save {0}', kind ?? l10n.t('File')),
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name),
    ...(kind !== undefined && { filters: { [kind]: [extension] } }),
  });
  if (place) await vscode.workspace.fs.writeFile(place, content);
}
