import * as vscode from 'vscode';

const SOURCES: vscode.DocumentSelector = { scheme: 'file', pattern: '**/*.sol' };

/**
 * Shows commands above code of Solidity files, in trusted workspaces only.
 * @param lensesOf the commands of a document
 * @param changes fires when they are others
 */
export function registerSolidityLenses(
  lensesOf: (document: vscode.TextDocument) => vscode.CodeLens[],
  changes = new vscode.EventEmitter<void>(),
): vscode.Disposable {
  return vscode.Disposable.from(
    changes,
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      changes.fire();
    }),
    vscode.languages.registerCodeLensProvider(SOURCES, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: (document) => (vscode.workspace.isTrusted ? lensesOf(document) : []),
    }),
  );
}
