import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SourcePlace } from '../../server/api/source-locations';

/** Where packages' sources are, seen from a project's folder. */
const FOLDERS = ['.', 'node_modules', 'lib'] as const;

/** Shows a place of a source file beside the inspector, with the range selected. */
export async function openSource(place: SourcePlace): Promise<void> {
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
  const { startLine, startColumn, endLine, endColumn } = place;
  const selection = new vscode.Range(startLine - 1, startColumn - 1, endLine - 1, endColumn - 1);
  await vscode.window.showTextDocument(uri, { selection, viewColumn: vscode.ViewColumn.Beside });
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
