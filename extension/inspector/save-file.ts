import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

const MAX_NAME = 100;

/** What a dialog calls the files that we write. */
const KINDS: Partial<Record<string, string>> = {
  csv: 'CSV',
  html: 'HTML',
  json: 'JSON',
  md: 'Markdown',
  png: l10n.t('PNG image'),
  svg: l10n.t('SVG image'),
};

/** A proposed name as no file system objects to it: it may hold what strangers called a token or a method. */
function fileName(proposed: string): string {
  const name = proposed.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '');
  return name.slice(-MAX_NAME) || 'forklens';
}

/** Asks where to, beside the workspace's files at first, and writes. Cancelling writes nothing. */
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
