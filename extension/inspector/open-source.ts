import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SourcePlace } from '../../server/api/source-locations';
import { findSource, ownSource, textOf } from '../build-output/find-source';
import { accountSourcePath, SOURCE_SCHEME } from '../source-documents/source-uri';

/** Where an analysis is, for the sources of its contracts. */
interface AnalysisPlace {
  chain: string;
  /** Undefined until the analysis is loaded. */
  block: number | undefined;
}

/**
 * Opens a source file beside the inspector and selects the range.
 * @param inspector column of the inspector; the active column may change while the message is in transit
 */
export async function openSource(
  place: SourcePlace,
  analysis: AnalysisPlace,
  inspector: vscode.ViewColumn = vscode.ViewColumn.One,
): Promise<void> {
  const uri = await documentOf(place, analysis);
  if (uri === undefined) {
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

/** The workspace's own file; of a source that is from elsewhere only if the text is the same, else a read-only document. */
async function documentOf(
  { file, from = 'workspace', address }: SourcePlace,
  { chain, block }: AnalysisPlace,
): Promise<vscode.Uri | undefined> {
  if (from === 'workspace' || address === undefined || block === undefined) return findSource(file);
  const path = accountSourcePath({ chain, address: address.toLowerCase(), block }, file);
  const document = vscode.Uri.from({ scheme: SOURCE_SCHEME, path });
  const content = await textOf(document);
  if (content === undefined) return findSource(file);
  return (await ownSource(file, content)) ?? document;
}
