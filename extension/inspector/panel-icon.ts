import * as vscode from 'vscode';

/** The icon of an inspector's tab. Unlike the icon of a view it keeps its colour, so there is one for each kind of theme. */
export function panelIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const icon = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media/icons', name);
  return { light: icon('forklens-light.svg'), dark: icon('forklens-dark.svg') };
}
