import * as vscode from 'vscode';

/** Opens and debugs transactions from links such as `vscode://forklens.forklens/analyze?chain=…&tx=…` in reports and chats. */
export const registerUriHandler = (): vscode.Disposable =>
  vscode.window.registerUriHandler({
    handleUri: async (uri) => (await import('./open-link')).openLink(uri),
  });
