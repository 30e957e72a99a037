import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { declaredContracts } from '../build-output/solidity-functions';
import { registerSolidityLenses } from '../build-output/solidity-lenses';
import type { CommandId } from '../model/commands';
import type { ContractTarget } from '../model/targets';

const DEPLOY: CommandId = 'forklens.deployContract';

/** Shows "Deploy on fork" above every contract that can be deployed, in trusted workspaces only. */
export function registerDeployLenses(): vscode.Disposable {
  return registerSolidityLenses((document) => {
    return declaredContracts(document.getText()).flatMap(({ contract, kind, offset }) => {
      if (kind !== 'contract') return [];
      const position = document.positionAt(offset);
      const target: ContractTarget = { contract, source: document.uri.fsPath };
      return new vscode.CodeLens(new vscode.Range(position, position), {
        title: l10n.t('$(rocket) Deploy on fork'),
        command: DEPLOY,
        arguments: [target],
        tooltip: l10n.t('Deploy your build of {0} on a fork, and call it there', contract),
      });
    });
  });
}
