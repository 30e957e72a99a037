import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { declaredContracts } from '../build-output/solidity-functions';
import { registerSolidityLenses } from '../build-output/solidity-lenses';
import type { CommandId } from '../model/commands';
import type { Debugging } from '../model/debugging';
import type { ContractTarget } from '../model/targets';

const COMMAND: CommandId = 'forklens.runAgainWithCode';
/** Must equal the key in the manifest. */
const CONTEXT_KEY = 'forklens.contractsInUse';

/** Names of the contracts that shown analyses execute. */
export interface ShownContracts {
  readonly contracts: ReadonlySet<string>;
  readonly onDidChangeShown: (listener: () => void) => { dispose(): void };
}

/** Shows "Run again with this code" above every contract that a debugged or shown transaction executes. */
export function registerContractLenses(
  debugging: Debugging,
  shown: ShownContracts,
): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  const inUse = (): ReadonlySet<string> =>
    new Set([...debugging.calls.flatMap(({ contracts }) => contracts), ...shown.contracts]);
  let known = '';
  const update = (): void => {
    const names = [...inUse()].sort().join('\n');
    if (names === known) return;
    known = names;
    changes.fire();
    void vscode.commands.executeCommand('setContext', CONTEXT_KEY, names !== '');
  };
  return vscode.Disposable.from(
    debugging.onDidChange(update),
    shown.onDidChangeShown(update),
    registerSolidityLenses((document) => {
      const names = inUse();
      return declaredContracts(document.getText()).flatMap(({ contract, offset }) => {
        if (!names.has(contract)) return [];
        const position = document.positionAt(offset);
        const target: ContractTarget = { contract, source: document.uri.fsPath };
        return new vscode.CodeLens(new vscode.Range(position, position), {
          title: l10n.t('$(debug-rerun) Run again with this code'),
          command: COMMAND,
          arguments: [target],
          tooltip: l10n.t(
            'Execute the transaction on the same state with your build of {0}, and compare',
            contract,
          ),
        });
      });
    }, changes),
  );
}
