import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../model/commands';
import type { FunctionTarget } from '../model/targets';
import { externalFunctions } from './solidity-functions';

const SOURCES: vscode.DocumentSelector = { scheme: 'file', pattern: '**/*.sol' };
const COMMAND: CommandId = 'forklens.simulateFunction';

/** Shows "Simulate on fork" above every public or external function, in trusted workspaces only. */
export function registerFunctionLenses(): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changes,
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      changes.fire();
    }),
    vscode.languages.registerCodeLensProvider(SOURCES, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: (document) => {
        if (!vscode.workspace.isTrusted) return [];
        const source = document.uri.fsPath;
        return externalFunctions(document.getText()).map(({ contract, name, offset }) => {
          const position = document.positionAt(offset);
          const target: FunctionTarget = { source, contract, name };
          return new vscode.CodeLens(new vscode.Range(position, position), {
            title: l10n.t('$(play) Simulate on fork'),
            command: COMMAND,
            arguments: [target],
            tooltip: l10n.t('See what {0}.{1} would do, without sending anything', contract, name),
          });
        });
      },
    }),
  );
}
