// Entry of a bundle of its own, which a window loads when it writes a page.
import * as vscode from 'vscode';
import type { FromWebview } from '../../media/inspector/protocol/protocol';
import { translations } from '../editor/translations';
import { pageHtml } from '../../server/client/page-html';
import { saveFile } from './save-file';

/** Asks for a location and writes an analysis as one HTML file that works offline. */
export async function savePage(
  extensionUri: vscode.Uri,
  { name, data, look }: Extract<FromWebview, { type: 'savePage' }>,
): Promise<void> {
  const read = async (file: string): Promise<string> => {
    const bytes = await vscode.workspace.fs.readFile(
      vscode.Uri.joinPath(extensionUri, 'dist', file),
    );
    return Buffer.from(bytes).toString('utf8');
  };
  const [script, style] = await Promise.all([read('page.js'), read('page.css')]);
  await saveFile(name, Buffer.from(pageHtml({ script, style, data, look, translations })));
}
