import * as vscode from 'vscode';
import { translations } from '../editor/translations';
import { inspectorHtml } from './inspector-html';

/** Loads the inspector's document into a panel. The document posts `ready`, so callers must add their message listener first. */
export function showInspectorPage(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): void {
  const { webview } = panel;
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  // The icon of a panel keeps its colour, unlike that of a view, so each kind of theme needs its own icon.
  const icon = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media/icons', name);
  const resource = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  panel.iconPath = { light: icon('forklens-light.svg'), dark: icon('forklens-dark.svg') };
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = inspectorHtml({
    cspSource: webview.cspSource,
    script: resource('inspector.js'),
    style: resource('inspector.css'),
    translations,
  });
}
