import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SourcePlace } from '../../server/api/source-locations';

/** Where packages' sources are, seen from a project's folder. */
const FOLDERS = ['.', 'node_modules', 'lib'] as const;

/**
 * Shows a place of a source file beside the inspector, with the range selected.
 * @param inspector column of the inspector; which one is active may change while its message travels
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
  // Backwards: of a place that is larger than the editor, the start is seen.
  editor.selection = new vscode.Selection(end, start);
  editor.revealRange(
    new vscode.Range(start, start),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

/** The file by its name within a compilation: from a folder of the window, from its packages, else wherever it is alone. */
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

/** Characters that mean something in a pattern mean themselves in brackets. */
const glob = (file: string): string => file.replace(/[*?[\]{}]/g, '[$&]');

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type === vscode.FileType.File,
    () => false,
  );
}
