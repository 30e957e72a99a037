import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SourcePlace } from '../../server/api/source-locations';

/** Folders of packages' sources, relative to a project's folder. */
const FOLDERS = ['.', 'node_modules', 'lib'] as const;

/**
 * Opens a source file beside the inspector and selects the range.
 * @param inspector column of the inspector; the active column may change while the message is in transit
 */
export async function openSource(
  place: SourcePlace,
  inspector: vscode.ViewColumn = vscode.ViewColumn.One,
): Promise<void> {
  const uri = await findSource(place.file);
  if (!uri) {
    const open = l10n.t('Open Folder…');
    const answer = await vscode.window.showWarningMessage(
      l10n.t(
        '{0} is in no folder of this window. Open the folder of the project that it belongs to.',
        place.file,
      ),
      open,
    );
    if (answer === open) await vscode.commands.executeCommand('workbench.action.files.openFolder');
    return;
  }
  const editor = await vscode.window.showTextDocument(uri, {
    viewColumn: inspector === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One,
  });
  const start = new vscode.Position(place.startLine - 1, place.startColumn - 1);
  const end = new vscode.Position(place.endLine - 1, place.endColumn - 1);
  // The selection runs backwards so that its start is visible even if it is larger than the editor.
  editor.selection = new vscode.Selection(end, start);
  editor.revealRange(
    new vscode.Range(start, start),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

/** Finds a file by its path in a compilation: in a workspace folder, in its packages, otherwise anywhere if the match is unique. */
async function findSource(file: string): Promise<vscode.Uri | undefined> {
  if (file.split(/[\\/]/).includes('..')) return undefined;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const folder of FOLDERS) {
      const candidate = vscode.Uri.joinPath(uri, folder, file);
      if (await exists(candidate)) return candidate;
    }
  }
  const [only, ...others] = await vscode.workspace.findFiles(`**/${glob(file)}`, undefined, 2);
  return others.length === 0 ? only : undefined;
}

/** Brackets make special characters of a glob pattern literal. */
const glob = (file: string): string => file.replace(/[*?[\]{}]/g, '[$&]');

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type === vscode.FileType.File,
    () => false,
  );
}
