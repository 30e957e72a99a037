import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../model/commands';
import type { FunctionTarget } from '../model/targets';
import { externalFunctions } from '../build-output/solidity-functions';
import { registerSolidityLenses } from '../build-output/solidity-lenses';

const SIMULATE: CommandId = 'forklens.simulateFunction';
const DEBUG: CommandId = 'forklens.debugFunction';

/** Functions that forge calls: they have no address. */
const TEST = /^(setUp$|test|invariant)/;

/** Shows "Simulate on fork" and "Debug" above every public or external function, in trusted workspaces only. */
export function registerFunctionLenses(): vscode.Disposable {
  return registerSolidityLenses((document) => {
    const source = document.uri.fsPath;
    return externalFunctions(document.getText()).flatMap(({ contract, name, offset }) => {
      if (source.endsWith('.t.sol') && TEST.test(name)) return [];
      const position = document.positionAt(offset);
      const target: FunctionTarget = { source, contract, name };
      const range = new vscode.Range(position, position);
      return [
        new vscode.CodeLens(range, {
          title: l10n.t('$(play) Simulate on fork'),
          command: SIMULATE,
          arguments: [target],
          tooltip: l10n.t('See what {0}.{1} would do, without sending anything', contract, name),
        }),
        new vscode.CodeLens(range, {
          title: l10n.t('$(debug-alt) Debug'),
          command: DEBUG,
          arguments: [target],
          tooltip: l10n.t('Step through a call of {0}.{1} that is not sent', contract, name),
        }),
      ];
    });
  });
}
